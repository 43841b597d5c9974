import { type FormEvent, useRef, useState } from 'react';
import { personErased } from '../../../core/desk-people.ts';
import type { StaffView } from '../../../core/staff.ts';
import { Button } from '../../components/ui/button.tsx';
import { TextArea, TextField } from '../../components/ui/field.tsx';
import { fieldsOf, messageOf, post } from '../../lib/api-client.ts';
import { textFields } from '../../lib/form-data.ts';
import { useSubmission } from '../../lib/use-submission.ts';
import { deskApi } from './desk-paths.ts';
import { save } from './export-button.tsx';
import { FreshSignIn, isFresh } from './parts.tsx';

/** A person’s request: all that is stored about an address as a file, or its erasure. */
export function PersonForm({ me }: { me: StaffView }) {
  const form = useRef<HTMLFormElement>(null);
  const [isSure, setSure] = useState(false);
  const asking = useSubmission({
    async mutationFn(what: 'export' | 'erase') {
      const fields = form.current ? textFields(form.current) : {};
      const request = { email: fields.email ?? '', reason: fields.reason ?? '', key: crypto.randomUUID() };
      if (what === 'erase') return erasureText(await post(deskApi.erasePerson, request));
      const data = JSON.stringify(await post(deskApi.exportPerson, request), null, 2);
      save(new Blob([data], { type: 'application/json' }), 'person.json');
      return 'The file is saved.';
    },
    onSuccess: () => setSure(false),
  });
  if (!isFresh(me)) return <FreshSignIn />;
  const errors = fieldsOf(asking.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    asking.mutate('export');
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="mt-3 grid gap-3">
      <TextField label="E-mail" name="email" type="email" autoComplete="off" error={errors.email} />
      <TextArea label="Reason" name="reason" rows={2} maxLength={1000} error={errors.reason} />
      <Button type="submit" look="secondary" className="!py-2.5" pending={asking.isPending}>
        Export
      </Button>
      <label className="flex items-center gap-2 text-sm">
        <input type="checkbox" checked={isSure} onChange={(event) => setSure(event.target.checked)} />
        Erase for ever, but for paid orders
      </label>
      <Button className="!py-2.5" disabled={!isSure} onClick={() => asking.mutate('erase')}>
        Erase
      </Button>
      <p role="status" className={asking.isSuccess ? 'text-sm text-after' : 'sr-only'}>
        {asking.data}
      </p>
      {asking.error && Object.keys(errors).length === 0 && (
        <p role="alert" className="text-sm text-error">
          {messageOf(asking.error, 'It could not be done. Please try again.')}
        </p>
      )}
    </form>
  );
}

function erasureText(answer: unknown): string {
  const { users, orders, emails, contactMessages, newsletter, kept } = personErased.parse(answer);
  const rows = users + orders + emails + contactMessages + newsletter;
  return `Erased in ${rows} ${rows === 1 ? 'place' : 'places'}. ${kept.length} ${kept.length === 1 ? 'order keeps' : 'orders keep'} name and address.`;
}
