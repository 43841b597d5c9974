import { useRef, useState } from 'react';
import { fieldsOf, messageOf, post } from '../../lib/api-client.ts';
import { api } from '../../lib/api-paths.ts';
import { toast } from '../../lib/toast-store.ts';

export interface ContactFields {
  name: string;
  email: string;
  message: string;
}
export type ContactErrors = Partial<Record<keyof ContactFields, string>>;

const empty: ContactFields = { name: '', email: '', message: '' };

/** The contact form of spec §4: idle, sending, then cleared with a notice, or kept with one. */
export function useContact() {
  const [fields, setFields] = useState(empty);
  const [errors, setErrors] = useState<ContactErrors>({});
  const [sending, setSending] = useState(false);
  const busy = useRef(false);

  async function send(website: string | undefined) {
    if (busy.current) return;
    const missing = missingFields(fields);
    setErrors(missing);
    if (Object.keys(missing).length > 0) return;
    busy.current = true;
    setSending(true);
    try {
      await post(api.contact, { ...fields, ...(website ? { website } : {}) });
      setFields(empty);
      toast({ title: 'Message Sent!', description: "We'll get back to you within 24 hours." });
    } catch (error) {
      setErrors(fieldsOf(error));
      toast({
        title: 'Error',
        description: messageOf(error, 'Failed to send message'),
        variant: 'destructive',
      });
    } finally {
      busy.current = false;
      setSending(false);
    }
  }

  function change(changed: Partial<ContactFields>) {
    setFields((current) => ({ ...current, ...changed }));
    setErrors((shown) => Object.fromEntries(Object.entries(shown).filter(([field]) => !(field in changed))));
  }

  return { fields, errors, sending, change, send };
}

/** What must be there before the server is asked; it checks the rest, and names the field. */
function missingFields(fields: ContactFields): ContactErrors {
  const errors: ContactErrors = {};
  if (fields.name.trim() === '') errors.name = 'Please tell us your name';
  if (fields.email.trim() === '') errors.email = 'Please tell us where to reply';
  else if (!/^[^\s@]+@[^\s@]+$/.test(fields.email.trim()))
    errors.email = 'Please enter a valid e-mail address';
  if (fields.message.trim() === '') errors.message = 'Please write a message';
  return errors;
}
