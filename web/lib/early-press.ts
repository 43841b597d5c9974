export interface EarlyPress {
  /** Nothing is kept any more: presses reach the page. */
  end(): void;
  /** Ends, and repeats what was kept. */
  repeat(): void;
}

/**
 * Keeps the last press of a button before the page has come to life, which would be lost, or would send its form the
 * old way. Links need no life, and lead on at once.
 */
export function keepEarlyPress(): EarlyPress {
  let pressed: HTMLButtonElement | null = null;
  const keep = (event: Event) => {
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    if (!button) return;
    event.preventDefault();
    event.stopPropagation();
    pressed = button;
  };
  const end = () => document.removeEventListener('click', keep, true);
  document.addEventListener('click', keep, true);
  return {
    end,
    repeat() {
      end();
      pressed?.click();
      pressed = null;
    },
  };
}
