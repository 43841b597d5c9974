import { createStore } from './store.ts';

interface Work {
  /** Ends the wait with a failure; a page's code has no such way. */
  abort?: () => void;
}

const running = createStore<readonly Work[]>([]);

/** Counts work that the visitor waits for, until it settles. */
export async function track<T>(promise: Promise<T>, abort?: () => void): Promise<T> {
  const work: Work = abort ? { abort } : {};
  running.set([...running.get(), work]);
  try {
    return await promise;
  } finally {
    running.set(running.get().filter((other) => other !== work));
  }
}

export const pendingWork = {
  subscribe: running.subscribe,
  isPending: () => running.get().length > 0,
  canStop: () => running.get().every((work) => work.abort),
  stop() {
    for (const { abort } of running.get()) abort?.();
  },
};
