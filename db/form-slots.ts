import pLimit from 'p-limit';
import { DatabaseOverloaded, perOwner } from './batches.ts';
import type { Database } from './database.ts';

const MAX_AT_ONCE = 2;
/** As long as others wait for a pooled connection. */
const MAX_WAIT_MS = 3_000;

const turns = perOwner((_db: Database) => pLimit(MAX_AT_ONCE));

/**
 * Public form submissions share two of the process's connections, so that a burst of them cannot starve buyers and
 * webhooks.
 * @throws DatabaseOverloaded without doing the work if no turn comes within 3 s
 */
export function withFormSlot<T>(db: Database, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(new DatabaseOverloaded(`No turn within ${MAX_WAIT_MS} ms`));
    }, MAX_WAIT_MS);
    void turns(db)(async () => {
      clearTimeout(timer);
      if (!isLate) await work().then(resolve, reject);
    });
  });
}
