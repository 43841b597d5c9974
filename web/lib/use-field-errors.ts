import { type FormEvent, type RefObject, useEffect, useState } from 'react';

export type FieldErrors = Record<string, string>;

/** Messages beside fields. The first invalid one gets the focus; pass `clear` as the form's `onInput`. */
export function useFieldErrors(form: RefObject<HTMLFormElement | null>) {
  const [errors, show] = useState<FieldErrors>({});
  useEffect(() => {
    if (Object.keys(errors).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [form, errors]);

  const clear = ({ target }: FormEvent<HTMLFormElement>) => {
    const { name } = target as HTMLInputElement;
    if (name in errors) show(({ [name]: _edited, ...rest }) => rest);
  };
  return { errors, show, clear };
}
