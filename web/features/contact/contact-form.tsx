import { type FormEvent, useRef } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { TextArea, TextField } from '../../components/ui/field.tsx';
import { Honeypot } from '../../components/ui/honeypot.tsx';
import { useFocusOnError } from '../../lib/use-focus-on-error.ts';
import { useTypedEarly } from '../../lib/use-typed-early.ts';
import { useContact } from './use-contact.ts';

/** Name, e-mail and message (spec §5); the first bad field gets the focus. */
export function ContactForm() {
  const { fields, errors, sending, change, send } = useContact();
  const form = useRef<HTMLFormElement>(null);
  const trap = useRef<HTMLInputElement>(null);
  useFocusOnError(form, errors);
  useTypedEarly(form, ({ name = '', email = '', message = '' }) => change({ name, email, message }));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send(trap.current?.value);
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="relative grid gap-5">
      <TextField
        label="Name"
        name="name"
        autoComplete="name"
        required
        maxLength={200}
        value={fields.name}
        error={errors.name}
        onChange={(event) => change({ name: event.target.value })}
      />
      <TextField
        label="E-mail"
        name="email"
        type="email"
        autoComplete="email"
        required
        maxLength={254}
        value={fields.email}
        error={errors.email}
        onChange={(event) => change({ email: event.target.value })}
      />
      <TextArea
        label="Message"
        name="message"
        rows={5}
        required
        maxLength={5000}
        value={fields.message}
        error={errors.message}
        onChange={(event) => change({ message: event.target.value })}
      />
      <Honeypot ref={trap} />
      <Button
        type="submit"
        pending={sending}
        pendingLabel="Sending..."
        className="needs-script justify-self-start"
      >
        Send Message
      </Button>
      <noscript>
        <p className="text-sm text-muted">
          Sending from here needs JavaScript. With it switched off, please write us an e-mail instead.
        </p>
      </noscript>
    </form>
  );
}
