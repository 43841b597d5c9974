import { type RefObject, useEffect, useRef } from 'react';

/**
 * Hands over what was typed into a prerendered form before the page came to life: hydration leaves it in the fields,
 * but the state behind them does not know it.
 */
export function useTypedEarly(
  form: RefObject<HTMLFormElement | null>,
  takeOver: (typed: Record<string, string>) => void,
): void {
  const latest = useRef(takeOver);
  useEffect(() => {
    if (!form.current) return;
    const entries = [...new FormData(form.current)].filter(
      ([, value]) => typeof value === 'string' && value !== '',
    );
    if (entries.length > 0)
      latest.current(Object.fromEntries(entries.map(([name, value]) => [name, String(value)])));
  }, [form]);
}
