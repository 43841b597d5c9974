interface Work {
  /** Ends the wait with a failure; a page's code has no such way. */
  abort?: () => void;
}

const running = new Set<Work>();
const listeners = new Set<() => void>();

function notify() {
  for (const listener of listeners) listener();
}

/** Counts work that the visitor waits for, until it settles. */
export async function track<T>(promise: Promise<T>, abort?: () => void): Promise<T> {
  const work: Work = abort ? { abort } : {};
  running.add(work);
  notify();
  try {
    return await promise;
  } finally {
    running.delete(work);
    notify();
  }
}

export const pendingWork = {
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  isPending: () => running.size > 0,
  canStop: () => [...running].every((work) => work.abort),
  stop() {
    for (const { abort } of running) abort?.();
  },
};
