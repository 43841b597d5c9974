/** A value outside React, for `useSyncExternalStore`. */
interface Store<T> {
  get: () => T;
  set: (value: T) => void;
  subscribe: (notify: () => void) => () => void;
}

export function createStore<T>(initial: T): Store<T> {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set(value) {
      current = value;
      for (const notify of listeners) notify();
    },
    subscribe(notify) {
      listeners.add(notify);
      return () => void listeners.delete(notify);
    },
  };
}
