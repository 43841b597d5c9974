import { type PersonRequest, personData, personErased } from '../../../core/desk-people.ts';
import type { StaffView } from '../../../core/staff.ts';
import { counted, emailAddress } from '../../../core/text.ts';
import { TextField } from '../../components/ui/field.tsx';
import { post } from '../../lib/api-client.ts';
import type { FieldErrors } from '../../lib/use-field-errors.ts';
import { ActionForm, type Outcome, type Send } from './action-form.tsx';
import { deskApi } from './desk-api.ts';
import { save } from './export-form.tsx';
import { FreshSignIn, isFresh } from './parts.tsx';

/** A person’s request: all that is stored about an address as a file, or its erasure. */
export function PersonForm({ me }: { me: StaffView }) {
  if (!isFresh(me)) return <FreshSignIn />;
  return (
    <div className="mt-2 divide-y divide-line">
      <Request title="Export it" label="Export" path={deskApi.exportPerson} send={exportPerson} />
      <Request
        title="Erase it, except paid orders"
        label="Erase permanently"
        isFinal
        path={deskApi.erasePerson}
        send={erasePerson}
      />
    </div>
  );
}

function Request(props: {
  title: string;
  label: string;
  isFinal?: boolean;
  path: string;
  send: Send<PersonRequest>;
}) {
  const { title, ...form } = props;
  return (
    <details className="py-2.5">
      <summary className="font-medium">{title}</summary>
      <ActionForm<PersonRequest>
        {...form}
        isRecordedEachTime
        check={checkEmail}
        build={(asked, { email = '' }) => ({ ...asked, email: email.trim() })}
      >
        {({ email }) => (
          <TextField label="E-mail" name="email" type="email" required autoComplete="off" error={email} />
        )}
      </ActionForm>
    </details>
  );
}

function checkEmail({ email }: Record<string, string>): FieldErrors {
  const { error } = emailAddress.safeParse(email);
  return error ? { email: error.issues[0]?.message ?? '' } : {};
}

async function exportPerson(path: string, wanted: PersonRequest): Promise<Outcome> {
  const person = personData.parse(await post(path, wanted));
  if (Object.values(person).every((rows) => rows.length === 0)) return nothingStored(wanted);
  const text = JSON.stringify(person, null, 2);
  return save(new Blob([text], { type: 'application/json' }), 'person.json');
}

async function erasePerson(path: string, wanted: PersonRequest): Promise<Outcome> {
  const { kept, ...erased } = personErased.parse(await post(path, wanted));
  const rows = erased.users + erased.orders + erased.emails + erased.contactMessages + erased.newsletter;
  if (rows + kept.length === 0) return nothingStored(wanted);
  const keepers = kept.length === 1 ? 'order keeps' : 'orders keep';
  const places = counted(rows, 'place');
  return { text: `Erased ${wanted.email} in ${places}. ${kept.length} ${keepers} name and address.` };
}

function nothingStored({ email }: PersonRequest): Outcome {
  return { text: `Nothing is stored under ${email}. Check the spelling.`, isNeutral: true };
}
