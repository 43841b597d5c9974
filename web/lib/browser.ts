import { useEffect, useState, useSyncExternalStore } from 'react';

const never = () => () => {};

/** False while the page is prerendered and hydrated, true afterwards: what differs may be shown without a mismatch. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

/** True once the page has loaded and the browser has nothing better to do: the time for what can wait. */
export function useIdle(): boolean {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    // Safari has no idle callback; a short wait comes close.
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

/** Whether the browser believes it has a connection. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    onConnectionChange,
    () => navigator.onLine,
    () => true,
  );
}
