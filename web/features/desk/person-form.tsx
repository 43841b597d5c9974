import { type PersonRequest, personErased } from '../../../core/desk-people.ts';
import type { StaffView } from '../../../core/staff.ts';
import { TextField } from '../../components/ui/field.tsx';
import { post } from '../../lib/api-client.ts';
import { ActionForm, type Send } from './action-form.tsx';
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
        title="Erase it, but for paid orders"
        label="Erase permanently"
        path={deskApi.erasePerson}
        send={erasePerson}
      />
    </div>
  );
}

function Request({ title, ...form }: { title: string; label: string; path: string; send: Send }) {
  return (
    <details className="py-2.5">
      <summary className="font-medium">{title}</summary>
      <ActionForm<PersonRequest>
        {...form}
        isRecordedEachTime
        build={(asked, { email = '' }) => ({ ...asked, email })}
      >
        <TextField label="E-mail" name="email" type="email" required autoComplete="off" />
      </ActionForm>
    </details>
  );
}

async function exportPerson(path: string, wanted: object): Promise<string> {
  const person = JSON.stringify(await post(path, wanted), null, 2);
  return save(new Blob([person], { type: 'application/json' }), 'person.json');
}

async function erasePerson(path: string, wanted: object): Promise<string> {
  const { kept, ...erased } = personErased.parse(await post(path, wanted));
  const rows = erased.users + erased.orders + erased.emails + erased.contactMessages + erased.newsletter;
  return `Erased in ${rows} ${rows === 1 ? 'place' : 'places'}. ${kept.length} ${kept.length === 1 ? 'order keeps' : 'orders keep'} name and address.`;
}
