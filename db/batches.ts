import type { Database } from './database.ts';

/** Beyond this a statement's parameters grow large while the gain is long there. */
const MAX_BATCH = 100;

/**
 * Turns a function over many items into one over a single item: while a batch is being worked, what is asked meanwhile
 * waits and goes together with the next. So load makes the batches larger, not more, and a lone caller waits for nobody.
 * `work` answers in the order of its items. A batch that fails for what is in it is worked again item by item: one bad
 * item costs nobody else anything.
 */
export function inBatches<T, R>(work: (items: T[]) => Promise<R[]>): (item: T) => Promise<R> {
  const waiting: Call<T, R>[] = [];
  let working = false;

  async function run(): Promise<void> {
    working = true;
    // One turn of the event loop: whoever asks in the same one comes along.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const calls = waiting.splice(0, MAX_BATCH);
      await answer(calls).catch((error: unknown) => answerAlone(calls, error));
    }
    working = false;
  }

  async function answer(calls: Call<T, R>[]): Promise<void> {
    const results = await work(calls.map(({ item }) => item));
    for (const [index, call] of calls.entries()) call.resolve(results[index] as R);
  }

  async function answerAlone(calls: Call<T, R>[], error: unknown): Promise<void> {
    const repeated = calls.length > 1 && isOfOneItem(error);
    await Promise.all(
      calls.map((call) => (repeated ? answer([call]).catch(call.reject) : call.reject(error))),
    );
  }

  return (item) =>
    new Promise<R>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!working) void run();
    });
}

/** PostgreSQL's classes of bad data, broken constraints, deadlocks and exceeded limits; an outage would only fail again. */
function isOfOneItem(error: unknown): boolean {
  return /^(22|23|40|54)/.test(String((error as { code?: unknown }).code));
}

interface Call<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

/** One of its kind for each database, so that callers need not carry it along. */
export function perDatabase<F>(create: (db: Database) => F): (db: Database) => F {
  const known = new WeakMap<Database, F>();
  return (db) => {
    const existing = known.get(db);
    if (existing) return existing;
    const made = create(db);
    known.set(db, made);
    return made;
  };
}
