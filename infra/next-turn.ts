import { setImmediate as nextIteration } from 'node:timers/promises';

let last: Promise<unknown> = Promise.resolve();

/**
 * Resolves in a later turn of the event loop than any other call: work of about a millisecond that starts after it, such
 * as rendering, never runs in a row, so that other jobs go on in between.
 */
export function nextTurn(): Promise<unknown> {
  last = last.then(() => nextIteration());
  return last;
}
