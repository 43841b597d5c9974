import { type RefObject, useEffect, useRef } from 'react';

export type Step = 'details' | 'payment';

/** Focuses the element when the buyer moves to this step: the button that was pressed is gone by then. */
export function useStepFocus<Start extends HTMLElement>(
  focusOn: RefObject<Step | null>,
  step: Step,
): RefObject<Start | null> {
  const start = useRef<Start>(null);
  useEffect(() => {
    if (focusOn.current !== step) return;
    focusOn.current = null;
    start.current?.focus();
  }, [focusOn, step]);
  return start;
}
