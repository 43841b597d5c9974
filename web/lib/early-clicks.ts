export interface EarlyClicks {
  /** Lets clicks through again and drops the one that was held. */
  stop(): void;
  /** Lets clicks through again, beginning with the one that was held. */
  replay(): void;
}

/** Keeps the last click on a button before hydration, which would be lost or submit its form natively. */
export function replayEarlyClicks(): EarlyClicks {
  let held: HTMLButtonElement | null = null;
  const hold = (event: Event) => {
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    if (!button) return;
    event.preventDefault();
    event.stopPropagation();
    held = button;
  };
  const stop = () => document.removeEventListener('click', hold, true);
  document.addEventListener('click', hold, true);
  return {
    stop,
    replay() {
      stop();
      held?.click();
      held = null;
    },
  };
}
