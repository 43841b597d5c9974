import { setTimeout as sleep } from 'node:timers/promises';
import { ProviderError } from '../provider-error.ts';
import { ask, isFormerRefusal } from './client.ts';

/** Keys tried for one request: Stripe keeps a 500 under its idempotency key for 24 h, and replays it at once. */
const MAX_KEYS = 6;
/** More than a job's attempts, so that a retried job gets a new answer. */
const MAX_REFUSALS = 40;

/**
 * Repeats `call` with the next key (`key`, `key-2`, …) after a stored 5xx, unless `find` shows that it took effect, and
 * after a replayed refusal of an earlier run: Stripe stores it for a day, even if its cause is gone
 * (https://docs.stripe.com/api/idempotent_requests).
 */
export async function withNextKeys<T>(
  key: string,
  call: (idempotencyKey: string) => Promise<T>,
  find: () => Promise<T | undefined>,
): Promise<T> {
  for (let attempt = 1, failures = 1; ; attempt++) {
    try {
      return await ask(call(attempt > 1 ? `${key}-${attempt}` : key));
    } catch (error) {
      if (isFormerRefusal(error) && attempt < MAX_REFUSALS) continue;
      const isStored = error instanceof ProviderError && (error.statusCode ?? 0) >= 500;
      if (!isStored || failures === MAX_KEYS) throw error;
      const found = await find();
      if (found !== undefined) return found;
      await sleep(50 * failures++);
    }
  }
}
