import connectPgSimple from 'connect-pg-simple';
import { RedisStore } from 'connect-redis';
import session, { type SessionData, type Store } from 'express-session';
import pg from 'pg';
import type { Logger } from './logger.ts';
import type { RedisConnection } from './redis.ts';

/** Longer than this nobody waits for a session (reliability.md §6.18). */
export const SESSION_DEADLINE_MS = 1_000;
const POOL_MAX = 4;
const PRUNE_EVERY_SECONDS = 900;

/** A session nobody uses ends after half an hour, and every session after half a day (ASVS 7.3.1, 7.3.2). */
const IDLE_MS = 30 * 60_000;
const ABSOLUTE_MS = 12 * 3_600_000;

export interface Sessions {
  store: Store;
  idleMs: number;
  absoluteMs: number;
  close(): Promise<void>;
}

export interface SessionSettings {
  /** A connection that fails fast; undefined keeps the sessions in the `sessions` table. */
  redis: RedisConnection | undefined;
  databaseUrl: string;
  /** Keeps several installations on one Redis apart. */
  queuePrefix: string;
  logger: Logger;
}

/** Where sessions are kept: Redis, or PostgreSQL without it (design §3). Shared by all web processes. */
export function createSessions(settings: SessionSettings): Sessions {
  const { redis, queuePrefix } = settings;
  if (!redis) return postgresStore(settings);
  const store = new RedisStore({ client: asNodeRedis(redis), prefix: `${queuePrefix}:session:` });
  return { ...lifetimes, store: tolerant(store, settings.logger), close: async () => {} };
}

const lifetimes = { idleMs: IDLE_MS, absoluteMs: ABSOLUTE_MS };

function postgresStore({ databaseUrl, logger }: SessionSettings): Sessions {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'querywright sessions',
    max: POOL_MAX,
    keepAlive: true,
    connectionTimeoutMillis: SESSION_DEADLINE_MS,
    query_timeout: SESSION_DEADLINE_MS,
    statement_timeout: SESSION_DEADLINE_MS,
  });
  pool.on('error', (error) => logger.warn({ err: error }, 'session connection trouble'));
  const PgStore = connectPgSimple(session);
  const store = new PgStore({
    pool,
    tableName: 'sessions',
    pruneSessionInterval: PRUNE_EVERY_SECONDS,
    errorLog: (...trouble: unknown[]) => logger.warn({ err: trouble.at(-1) }, 'sessions were not pruned'),
  });
  return {
    ...lifetimes,
    store: tolerant(store, logger),
    async close() {
      await store.close();
      await pool.end();
    },
  };
}

/** A session that could not be renewed is no reason to break an answer that is already on its way. */
function tolerant(store: Store, logger: Logger): Store {
  const touch = store.touch?.bind(store);
  store.touch = (sid: string, data: SessionData, done?: () => void) => {
    const finish = (error?: unknown) => {
      if (error) logger.warn({ err: error }, 'session was not renewed');
      done?.();
    };
    if (touch) touch(sid, data, finish);
    else finish();
  };
  return store;
}

/** connect-redis speaks node-redis; these are the four of its calls that sessions need. */
function asNodeRedis(redis: RedisConnection) {
  return {
    get: (key: string) => redis.get(key),
    set: (key: string, value: string, { expiration }: { expiration: { value: number } }) =>
      redis.set(key, value, 'EX', expiration.value),
    expire: (key: string, seconds: number) => redis.expire(key, seconds),
    del: (keys: string[]) => redis.del(...keys),
  };
}
