import { type RefObject, useEffect, useRef } from 'react';

export type Step = 'details' | 'payment';

/**
 * Focuses the element once the step that the buyer moves to is ready: the button that was pressed is gone by then. Shows the
 * step from its beginning, which the end of the former one may have pushed out of sight: a sticky heading always is in sight.
 */
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
    const card = start.current?.closest('.card');
    const underHeader = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop);
    if (card && card.getBoundingClientRect().top < underHeader) card.scrollIntoView({ behavior: 'instant' });
  }, [focusOn, step, isReady]);
  return start;
}
