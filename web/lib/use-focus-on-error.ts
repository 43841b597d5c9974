import { type RefObject, useEffect } from 'react';

/** Puts the focus on a form's first bad field whenever its errors change. */
export function useFocusOnError(form: RefObject<HTMLFormElement | null>, errors: object): void {
  useEffect(() => {
    if (Object.keys(errors).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [form, errors]);
}
