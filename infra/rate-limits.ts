import {
  type RateLimiterAbstract,
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { Database } from '../db/database.ts';
import { CappedMemory, MAX_KEYS } from './capped-memory.ts';
import { within } from './deadline.ts';
import type { RedisConnection } from './redis.ts';

/** Limits, per `duration` seconds, on calls that cost money, send mail or could be brute-forced. */
interface Limit {
  points: number;
  duration: number;
  /** Counted by each process separately: a flood of refusals must not reach the store. */
  perProcess?: boolean;
}

export const limits = {
  'create-order': { points: 20, duration: 600 },
  'create-order-network': { points: 50, duration: 600, perProcess: true },
  /** The first order of a network. */
  'create-order-newcomer': { points: 1, duration: 600, perProcess: true },
  /** All clients together. Above it only newcomers may order, up to the limit below. */
  'create-order-all': { points: 2_000, duration: 600, perProcess: true },
  'create-order-newcomers': { points: 2_000, duration: 600, perProcess: true },
  'confirm-payment': { points: 60, duration: 600 },
  'paypal-setup': { points: 60, duration: 600 },
  'paypal-order': { points: 40, duration: 600 },
  contact: { points: 5, duration: 3_600 },
  newsletter: { points: 5, duration: 3_600 },
  /** An ISP's customer can have 65,536 IPv6 /64s, and must not use up the limits that all clients share. */
  'contact-network': { points: 20, duration: 3_600, perProcess: true },
  'newsletter-network': { points: 50, duration: 3_600, perProcess: true },
  'login-network': { points: 300, duration: 600, perProcess: true },
  /** All clients together: a botnet must neither send mail through us nor flood staff with messages. */
  'contact-all': { points: 200, duration: 600 },
  'newsletter-all': { points: 1_000, duration: 3_600 },
  /** E-mails per mailbox that anyone can have sent to anyone. Above the limits the mail is dropped, and no request refused. */
  acknowledgement: { points: 5, duration: 24 * 3_600 },
  'newsletter-confirmation': { points: 5, duration: 24 * 3_600 },
  /** About orders that took no money. */
  'unpaid-order-mail': { points: 10, duration: 24 * 3_600 },
  login: { points: 30, duration: 600 },
  sessions: { points: 60, duration: 600 },
  enrollment: { points: 20, duration: 3_600 },
  desk: { points: 1_200, duration: 600 },
  'desk-action': { points: 60, duration: 600 },
  'csp-report': { points: 60, duration: 600, perProcess: true },
  'csp-report-network': { points: 120, duration: 600, perProcess: true },
  /** Each report is up to 20 lines of the log. */
  'csp-report-all': { points: 300, duration: 600, perProcess: true },
  'bad-signature': { points: 100, duration: 60, perProcess: true },
} as const satisfies Record<string, Limit>;
export type LimitName = keyof typeof limits;

export interface RateLimits {
  /** Counts one use by this client. Returns 0, or the seconds to wait if the limit is reached. */
  use(name: LimitName, client: string): Promise<number>;
  /** Takes back one use: a request that failed through no fault of the client. */
  giveBack(name: LimitName, client: string): Promise<void>;
  /** Seconds to wait for a client that this process knows to have reached the limit, else 0. Does not ask the store. */
  blockedFor(name: LimitName, client: string): number;
}

export interface RateLimitStore {
  redis: RedisConnection | undefined;
  db: Database;
  queuePrefix: string;
  /** Overrides for tests. */
  overrides?: Partial<Record<LimitName, Limit>>;
}

/** The longest a request waits for its count. */
const DEADLINE_MS = 1_000;

/** Counts in Redis, or in PostgreSQL without it; while it does not answer, each process counts for itself. */
export function createRateLimits(store: RateLimitStore): RateLimits {
  const limiters = new Map<LimitName, Limiter>();
  const blockedUntil = new Map<string, number>();
  for (const [name, limit] of Object.entries({ ...limits, ...store.overrides })) {
    limiters.set(name as LimitName, createLimiter(name, limit, store));
  }
  const blockedFor = (name: LimitName, client: string) => {
    const until = blockedUntil.get(`${name}:${client}`) ?? 0;
    return Math.max(0, Math.ceil((until - Date.now()) / 1_000));
  };
  return {
    async use(name, client) {
      // A client that is refused does not reach the store again until its time is up.
      const blockedSeconds = blockedFor(name, client);
      if (blockedSeconds > 0) return blockedSeconds;
      try {
        await count(name, (limiter) => limiter.consume(client));
        return 0;
      } catch (outcome) {
        if (!(outcome instanceof RateLimiterRes)) throw outcome;
        const waitSeconds = Math.max(1, Math.ceil(outcome.msBeforeNext / 1_000));
        // Clearing bounds the memory; the next refusal is remembered again.
        if (blockedUntil.size >= MAX_KEYS) blockedUntil.clear();
        blockedUntil.set(`${name}:${client}`, Date.now() + waitSeconds * 1_000);
        return waitSeconds;
      }
    },
    async giveBack(name, client) {
      await count(name, (limiter) => limiter.reward(client));
    },
    blockedFor,
  };

  async function count(name: LimitName, act: (limiter: RateLimiterAbstract) => Promise<unknown>) {
    const limiter = limiters.get(name);
    if (!limiter) return;
    const { shared, own } = limiter;
    if (!shared) return act(own);
    return within(DEADLINE_MS, act(shared)).catch((outcome: unknown) => {
      if (outcome instanceof RateLimiterRes) throw outcome;
      return act(own);
    });
  }
}

interface Limiter {
  /** Undefined if each process counts for itself. */
  shared: RateLimiterAbstract | undefined;
  own: CappedMemory;
}

function createLimiter(
  name: string,
  { perProcess = false, ...limit }: Limit,
  { redis, db, queuePrefix }: RateLimitStore,
): Limiter {
  const options = { ...limit, keyPrefix: `${queuePrefix}:limit:${name}` };
  const own = new CappedMemory(options);
  if (perProcess) return { shared: undefined, own };
  if (redis) return { shared: new RateLimiterRedis({ ...options, storeClient: redis }), own };
  const table = { storeType: 'knex', tableName: 'rate_limits', tableCreated: true };
  return { shared: new RateLimiterPostgres({ ...options, ...table, storeClient: db }), own };
}

/** For measurements, fault runs and tests that need more than a visitor does; production refuses it (weaknesses.ts). */
export const noRateLimits: RateLimits = {
  use: async () => 0,
  giveBack: async () => {},
  blockedFor: () => 0,
};
