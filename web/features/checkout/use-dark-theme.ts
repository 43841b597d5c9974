import { useSyncExternalStore } from 'react';

const dark = '(prefers-color-scheme: dark)';

/** Whether the system's theme is dark; it may change while the page is open. */
export function useDarkTheme(): boolean {
  return useSyncExternalStore(
    onChange,
    () => window.matchMedia(dark).matches,
    () => false,
  );
}

function onChange(notify: () => void) {
  const query = window.matchMedia(dark);
  query.addEventListener('change', notify);
  return () => query.removeEventListener('change', notify);
}
