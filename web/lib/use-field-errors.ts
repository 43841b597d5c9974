import { type FormEvent, type RefObject, useEffect, useState } from 'react';

export type FieldErrors = Record<string, string>;

/** Messages beside fields. `show` moves the focus to the first invalid field; pass `clear` as the form's `onInput`. */
export function useFieldErrors(form: RefObject<HTMLFormElement | null>) {
  const [errors, set] = useState<FieldErrors>({});
  const [shown, setShown] = useState(errors);
  // Not when the first keystroke clears an error: the next one would go to another field.
  useEffect(() => {
    if (shown) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [form, shown]);

  const show = (found: FieldErrors) => {
    set(found);
    setShown(found);
  };
  const clear = ({ target }: FormEvent<HTMLFormElement>) => {
    const { name } = target as HTMLInputElement;
    if (name in errors) set(({ [name]: _edited, ...rest }) => rest);
  };
  return { errors, show, clear };
}
