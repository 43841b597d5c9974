import { remember } from '../../lib/browser-storage.ts';

const STORED = 'querywright.message';

/** An unsent message, kept in this tab. */
export const draft = {
  keep: (fields: Record<string, string>) =>
    remember.write('sessionStorage', STORED, `${new URLSearchParams(fields)}`),
  forget: () => remember.forget('sessionStorage', STORED),
  /** Fills empty fields only. */
  restore(form: HTMLFormElement) {
    for (const [name, text] of new URLSearchParams(remember.read('sessionStorage', STORED) ?? '')) {
      const field = form.elements.namedItem(name) as HTMLInputElement | null;
      if (field) field.value ||= text;
    }
  },
};
