/** Does work while the page has nothing to paint, so that no interaction waits for it. Safari has no `requestIdleCallback`. */
export function whenIdle(work: () => void): void {
  (window.requestIdleCallback ?? setTimeout)(work);
}
