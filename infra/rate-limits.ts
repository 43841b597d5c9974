import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { Database } from '../db/database.ts';
import type { RedisConnection } from './redis.ts';

/** What costs money, sends mail or invites guessing: how many times within how many seconds, per address. */
const limits = {
  'create-order': { points: 20, duration: 600 },
  'confirm-payment': { points: 60, duration: 600 },
  'paypal-setup': { points: 60, duration: 600 },
  'paypal-order': { points: 40, duration: 600 },
  contact: { points: 5, duration: 3_600 },
  newsletter: { points: 5, duration: 3_600 },
  login: { points: 30, duration: 600 },
  enrollment: { points: 20, duration: 3_600 },
  'csp-report': { points: 60, duration: 600 },
  'bad-signature': { points: 100, duration: 60 },
} as const;
export type LimitName = keyof typeof limits;

export interface RateLimits {
  /** Counts one use. Returns 0, or the seconds to wait if the limit is reached. */
  use(name: LimitName, key: string): Promise<number>;
}

/** Counts in Redis, or in PostgreSQL without it; while neither answers, each process counts for itself. */
export function createRateLimits(store: { redis: RedisConnection | undefined; db: Database }): RateLimits {
  const limiters = new Map<LimitName, RateLimiterAbstract>();
  for (const [name, limit] of Object.entries(limits)) {
    const options = {
      ...limit,
      keyPrefix: name,
      insuranceLimiter: new RateLimiterMemory({ ...limit, keyPrefix: name }),
    };
    limiters.set(
      name as LimitName,
      store.redis
        ? new RateLimiterRedis({ ...options, storeClient: store.redis })
        : new RateLimiterPostgres({
            ...options,
            storeClient: store.db,
            storeType: 'knex',
            tableName: 'rate_limits',
            tableCreated: true,
          }),
    );
  }
  return {
    async use(name, key) {
      try {
        await limiters.get(name)?.consume(key);
        return 0;
      } catch (outcome) {
        if (outcome instanceof RateLimiterRes) return Math.max(1, Math.ceil(outcome.msBeforeNext / 1_000));
        throw outcome;
      }
    },
  };
}

/** For measurements, fault runs and tests that need more than a visitor does; production refuses it (config.ts). */
export const noRateLimits: RateLimits = { use: async () => 0 };
