/** Does work while the page has nothing to paint, so that no interaction waits for it. Safari knows no idle time. */
export function whenIdle(work: () => void): void {
  (window.requestIdleCallback ?? setTimeout)(work);
}
