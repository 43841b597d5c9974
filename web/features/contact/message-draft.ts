import { remember } from '../../lib/browser-storage.ts';

const STORED = 'querywright.message';

/** A message as typed, kept in this tab until it is sent. */
export const draft = {
  keep: (fields: Record<string, string>) =>
    remember.write('sessionStorage', STORED, `${new URLSearchParams(fields)}`),
  forget: () => remember.forget('sessionStorage', STORED),
  /** Fills the fields that are still empty. */
  restore(form: HTMLFormElement) {
    for (const [name, text] of new URLSearchParams(remember.read('sessionStorage', STORED) ?? '')) {
      const field = form.elements.namedItem(name) as HTMLInputElement | null;
      if (field) field.value ||= text;
    }
  },
};
