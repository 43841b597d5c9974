import { type RefObject, useEffect, useRef } from 'react';

export type Step = 'details' | 'payment';

/** Focuses the element once the step that the buyer moves to is ready: the button that was pressed is gone by then. */
export function useStepFocus<Start extends HTMLElement>(
  focusOn: RefObject<Step | null>,
  step: Step,
  isReady = true,
): RefObject<Start | null> {
  const start = useRef<Start>(null);
  useEffect(() => {
    if (!isReady || focusOn.current !== step) return;
    focusOn.current = null;
    start.current?.focus();
  }, [focusOn, step, isReady]);
  return start;
}
