import { useEffect, useState, useSyncExternalStore } from 'react';

const never = () => () => {};

/** False during prerendering and hydration, so that content that differs causes no mismatch. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

/** True once the page has loaded and the browser is idle. */
export function useIdle(): boolean {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    // Safari has no requestIdleCallback.
    const whenIdle = window.requestIdleCallback ?? ((then: () => void) => window.setTimeout(then, 300));
    const cancel = window.cancelIdleCallback ?? window.clearTimeout;
    const handle = whenIdle(() => setIdle(true));
    return () => cancel(handle);
  }, []);
  return idle;
}

function onConnectionChange(notify: () => void) {
  window.addEventListener('online', notify);
  window.addEventListener('offline', notify);
  return () => {
    window.removeEventListener('online', notify);
    window.removeEventListener('offline', notify);
  };
}

export function useOnline(): boolean {
  return useSyncExternalStore(
    onConnectionChange,
    () => navigator.onLine,
    () => true,
  );
}
