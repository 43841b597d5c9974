import { AsyncLocalStorage } from 'node:async_hooks';
import { isConnectionFailure, isServerFailure } from './database.ts';

/** Larger statements are hardly faster and need many parameters. */
const MAX_BATCH = 100;
/** A call that just misses a batch need not wait for its end, nor behind one that is slow. More at once are hardly faster. */
const MAX_AT_ONCE = 2;
const MAX_REPEATED_AT_ONCE = 4;

/** A batch serves many callers, so it runs in no caller's context, and in no trace. */
const outsideContexts = AsyncLocalStorage.snapshot();

export interface BatchLimits {
  maxWaiting?: number;
  deadlineMs?: number;
  /** The least time between the starts of two batches, unless `enough` calls wait. */
  paceMs?: number;
  /** How long a batch runs before a second one may start, unless `enough` calls wait. */
  aloneMs?: number;
  /** What a batch's first call waits for others at least, unless `enough` calls wait. */
  delayMs?: number;
  enough?: number;
}

/** Fewer, larger statements under load, for requests that also wait for a payment provider: adds a few ms to each call. */
export const frugal: BatchLimits = { paceMs: 2, aloneMs: 15 };

/** The database is overloaded: the call was not made, or its result is unknown. */
export class DatabaseOverloaded extends Error {
  readonly code = 'DATABASE_OVERLOADED';
  constructor(message: string) {
    super(message);
    this.name = 'DatabaseOverloaded';
  }
}

/**
 * Turns a function over many items into one over a single item: calls made while two batches are running form the next one.
 * Load therefore makes batches larger, and a call after a rest waits for no other. `work` returns its results in order.
 * A batch that fails because of an item is repeated item by item. A waiting call is dropped when `signal` says that its
 * caller has gone.
 */
export function inBatches<T, R>(
  work: Work<T, R>,
  limits: BatchLimits = {},
): (item: T, signal?: AbortSignal) => Promise<R> {
  const {
    maxWaiting = 2_000,
    deadlineMs = 5_000,
    paceMs = 0,
    aloneMs = 0,
    delayMs = 0,
    enough = MAX_BATCH,
  } = limits;
  // Not a Set: its obsolete hash tables reference their successors, so V8 keeps removed calls until a major collection.
  const waiting: Call<T, R>[] = [];
  let isGathering = false;
  let running = 0;
  let startedAt = Number.NEGATIVE_INFINITY;
  let wake = () => {};

  async function run(): Promise<void> {
    isGathering = true;
    await endOfCallback();
    await untilDue();
    const calls = waiting.splice(0, MAX_BATCH);
    isGathering = false;
    if (calls.length === 0) return;
    running += 1;
    runNext();
    await answer(work, calls).catch((error: unknown) => recover(work, calls, error));
    running -= 1;
    wake();
    runNext();
  }

  function runNext(): void {
    if (waiting.length > 0 && !isGathering && running < MAX_AT_ONCE) void outsideContexts(run);
  }

  async function untilDue(): Promise<void> {
    const gatheringSince = performance.now();
    const restMs = () => {
      const dueAt = startedAt + Math.max(paceMs, running > 0 ? aloneMs : 0);
      return Math.max(dueAt, gatheringSince + delayMs) - performance.now();
    };
    // Timers have a resolution of 1 ms.
    for (let ms = restMs(); ms >= 1 && waiting.length < enough; ms = restMs()) {
      const isWoken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const timer = setTimeout(wake, ms);
      await isWoken;
      clearTimeout(timer);
    }
    startedAt = performance.now();
  }

  /** Removes a waiting call. False if it is already being made. */
  function drop(call: Call<T, R>): boolean {
    const index = waiting.indexOf(call);
    if (index >= 0) waiting.splice(index, 1);
    return index >= 0;
  }

  return (item, signal) =>
    new Promise<R>((resolve, reject) => {
      if (waiting.length >= maxWaiting) return reject(new DatabaseOverloaded('Too many calls are waiting'));
      const call = withDeadline({ item, resolve, reject }, deadlineMs, drop);
      signal?.addEventListener('abort', () => {
        if (drop(call)) call.reject(new DatabaseOverloaded('The caller has gone'));
      });
      waiting.push(call);
      if (waiting.length === enough) wake();
      runNext();
    });
}

type Work<T, R> = (items: T[]) => Promise<R[]>;

interface Call<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

async function answer<T, R>(work: Work<T, R>, calls: Call<T, R>[]): Promise<void> {
  const results = await work(calls.map(({ item }) => item));
  for (const [index, call] of calls.entries()) call.resolve(results[index] as R);
}

/** Repeats the calls of a failed batch one by one, unless the database failed. */
async function recover<T, R>(work: Work<T, R>, calls: Call<T, R>[], error: unknown): Promise<void> {
  if (calls.length === 1 || isDatabaseOutage(error)) {
    for (const call of calls) call.reject(error);
    return;
  }
  const left = [...calls];
  const repeat = async () => {
    for (let call = left.shift(); call; call = left.shift()) await answer(work, [call]).catch(call.reject);
  };
  await Promise.all(Array.from({ length: MAX_REPEATED_AT_ONCE }, repeat));
}

/** The same call, dropped and rejected once it has had no answer for `deadlineMs`. */
function withDeadline<T, R>(
  { item, resolve, reject }: Call<T, R>,
  deadlineMs: number,
  drop: (call: Call<T, R>) => void,
): Call<T, R> {
  const timer = setTimeout(() => {
    drop(call);
    reject(new DatabaseOverloaded(`No answer within ${deadlineMs} ms`));
  }, deadlineMs);
  const call: Call<T, R> = {
    item,
    resolve: (result) => {
      clearTimeout(timer);
      resolve(result);
    },
    reject: (error) => {
      clearTimeout(timer);
      reject(error);
    },
  };
  return call;
}

/** Lets the calls that the event loop's current callback leads to join, and waits for no other callback. */
function endOfCallback(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

/** Whether the database failed, not one item: server failures, network errors, pool timeouts. */
function isDatabaseOutage(error: unknown): boolean {
  const { code, name, message } = error as { code?: string; name?: string; message?: string };
  if (code !== undefined) return isServerFailure(code) || /^E[A-Z]+$/.test(code);
  return name === 'KnexTimeoutError' || isConnectionFailure(message ?? '');
}

/** One instance for each owner, such as a database, so that callers need not pass it around. `others` are the first call's. */
export function perOwner<O extends object, A extends unknown[], F>(
  create: (owner: O, ...others: A) => F,
): (owner: O, ...others: A) => F {
  const known = new WeakMap<O, F>();
  return (owner, ...others) => {
    const existing = known.get(owner);
    if (existing) return existing;
    const created = create(owner, ...others);
    known.set(owner, created);
    return created;
  };
}
