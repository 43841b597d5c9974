import { setImmediate as nextIteration } from 'node:timers/promises';

let last: Promise<unknown> = Promise.resolve();

/**
 * Resolves each call in a different turn of the event loop, so that work of about a millisecond, such as rendering, never runs
 * back to back: other jobs proceed in between.
 */
export function nextTurn(): Promise<unknown> {
  last = last.then(() => nextIteration());
  return last;
}
