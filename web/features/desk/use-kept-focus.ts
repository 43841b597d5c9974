import { type RefObject, useLayoutEffect } from 'react';

/** When the element is removed while it has the focus, the nearest focusable part around it that remains receives it. */
export function useKeptFocus(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = element;
    return () => {
      if (!current?.contains(document.activeElement)) return;
      const around = partsAround(current);
      queueMicrotask(() => around.find(({ isConnected }) => isConnected)?.focus({ preventScroll: true }));
    };
  }, [element]);
}

function partsAround(element: HTMLElement): HTMLElement[] {
  const part = element.parentElement?.closest<HTMLElement>('[tabindex="-1"]');
  return part ? [part, ...partsAround(part)] : [];
}
