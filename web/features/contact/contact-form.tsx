import { type FormEvent, useEffect, useRef } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { TextArea, TextField } from '../../components/ui/field.tsx';
import { Honeypot } from '../../components/ui/honeypot.tsx';
import { fieldsOf, messageOf, post } from '../../lib/api-client.ts';
import { api } from '../../lib/api-paths.ts';
import { textFields } from '../../lib/form-data.ts';
import { toast } from '../../lib/toast-store.ts';
import { type FieldErrors, useFieldErrors } from '../../lib/use-field-errors.ts';
import { useSubmission } from '../../lib/use-submission.ts';
import { draft } from './message-draft.ts';

/** Uncontrolled, so that what is typed before hydration stays; without script the API answers with a page. */
export function ContactForm() {
  const form = useRef<HTMLFormElement>(null);
  const { errors, show, clear } = useFieldErrors(form);
  const message = useSubmission({
    call: (fields: Record<string, string>) => post(api.contact, fields),
    onSuccess() {
      form.current?.reset();
      draft.forget();
      toast({ title: 'Message Sent!', description: "We'll get back to you within 24 hours." });
    },
    onError(error) {
      show(fieldsOf(error));
      toast({
        title: 'Error',
        description: messageOf(error, 'Failed to send message'),
        variant: 'destructive',
      });
    },
  });

  useEffect(() => {
    if (form.current) draft.restore(form.current);
  }, []);

  const edit = (event: FormEvent<HTMLFormElement>) => {
    clear(event);
    draft.keep(textFields(event.currentTarget));
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = textFields(event.currentTarget);
    const missing = missingFields(fields);
    show(missing);
    if (Object.keys(missing).length === 0) message.submit(fields);
  };
  return (
    <form
      ref={form}
      method="post"
      action={api.contact}
      onSubmit={submit}
      onInput={edit}
      noValidate
      className="relative grid grid-cols-1 gap-5"
    >
      <TextField label="Name" name="name" autoComplete="name" required maxLength={200} error={errors.name} />
      <TextField
        label="E-mail"
        name="email"
        type="email"
        autoComplete="email"
        required
        maxLength={254}
        error={errors.email}
      />
      <TextArea label="Message" name="message" rows={5} required maxLength={5000} error={errors.message} />
      <Honeypot />
      <Button
        type="submit"
        pending={message.isPending}
        pendingLabel="Sending..."
        className="justify-self-start"
      >
        Send Message
      </Button>
    </form>
  );
}

/** The server checks the rest and names the field. */
function missingFields({ name, email, message }: Record<string, string>): FieldErrors {
  return {
    ...(name ? {} : { name: 'Please tell us your name' }),
    ...(email ? {} : { email: 'Please tell us where to reply' }),
    ...(email && !/^[^\s@]+@[^\s@.]+\.[^\s@]+$/.test(email.trim())
      ? { email: 'Please enter a valid e-mail address' }
      : {}),
    ...(message ? {} : { message: 'Please write a message' }),
  };
}
