import { setTimeout as sleep } from 'node:timers/promises';
import { ProviderError } from '../provider-error.ts';
import { ask, isFormerRefusal } from './client.ts';

/** Keys tried for one request: Stripe keeps a 500 under its idempotency key for 24 h, and replays it at once. */
const MAX_KEYS = 6;
/** More than a job's attempts, so that a retried job gets a new answer. */
const MAX_REFUSALS = 40;
/** How often to wait for a key that another request uses: in total longer than a buyer's call may take. */
const MAX_WAITS = 40;
const WAIT_MS = 250;

/**
 * Repeats `call` with the next key (`key`, `key-2`, …) after a stored 5xx, unless `find` shows that it took effect, and
 * after a replayed refusal of an earlier run: Stripe stores it for a day, even if its cause is gone
 * (https://docs.stripe.com/api/idempotent_requests). Stripe may still complete a request that it answered with a 5xx: omit
 * `find` for what must not happen twice, and no other key is used after one. While another request uses the key, it waits for that one's answer
 * (https://docs.stripe.com/error-codes#idempotency-key-in-use).
 */
export async function withNextKeys<T>(
  key: string,
  call: (idempotencyKey: string) => Promise<T>,
  find?: () => Promise<T | undefined>,
): Promise<T> {
  for (let attempt = 1, failures = 1; ; attempt++) {
    const idempotencyKey = attempt > 1 ? `${key}-${attempt}` : key;
    try {
      return await untilFree(() => ask(call(idempotencyKey)));
    } catch (error) {
      if (isFormerRefusal(error) && attempt < MAX_REFUSALS) continue;
      const isStored = error instanceof ProviderError && (error.statusCode ?? 0) >= 500;
      if (!isStored || !find || failures === MAX_KEYS) throw error;
      const found = await find();
      if (found !== undefined) return found;
      await sleep(50 * failures++);
    }
  }
}

async function untilFree<T>(call: () => Promise<T>): Promise<T> {
  for (let waits = 0; ; waits++) {
    try {
      return await call();
    } catch (error) {
      const isInUse = error instanceof ProviderError && error.reason === 'idempotency_key_in_use';
      if (!isInUse || waits === MAX_WAITS) throw error;
      await sleep(WAIT_MS);
    }
  }
}
