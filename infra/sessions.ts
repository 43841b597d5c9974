import connectPgSimple from 'connect-pg-simple';
import { RedisStore } from 'connect-redis';
import session, { type SessionData, type Store } from 'express-session';
import pg from 'pg';
import type { Database } from '../db/database.ts';
import type { Logger } from './logger.ts';
import type { RedisConnection } from './redis.ts';
import { createUserSessions, redisPrefix, type UserSessions } from './user-sessions.ts';

/** No request waits longer for its session. */
export const SESSION_DEADLINE_MS = 1_000;
export const SESSION_CONNECTIONS = 4;
const PRUNE_EVERY_SECONDS = 900;

const IDLE_MS = 30 * 60_000;
const ABSOLUTE_MS = 12 * 3_600_000;

export interface Sessions {
  store: Store;
  ofUsers: UserSessions;
  idleMs: number;
  absoluteMs: number;
  close(): Promise<void>;
}

export interface SessionSettings {
  /** A connection that fails fast; undefined keeps the sessions in the `sessions` table. */
  redis: RedisConnection | undefined;
  databaseUrl: string;
  isDatabasePooled: boolean;
  db: Database;
  queuePrefix: string;
  logger: Logger;
}

/** Sessions in Redis, or in PostgreSQL without it; shared by all web processes. */
export function createSessions(settings: SessionSettings): Sessions {
  const { redis, queuePrefix, logger } = settings;
  const { store, close } = redis
    ? { store: redisStore(redis, queuePrefix), close: async () => {} }
    : postgresStore(settings);
  return {
    store: tolerant(store, logger),
    ofUsers: createUserSessions(settings),
    idleMs: IDLE_MS,
    absoluteMs: ABSOLUTE_MS,
    close,
  };
}

function redisStore(redis: RedisConnection, queuePrefix: string): Store {
  return new RedisStore({ client: asNodeRedis(redis), prefix: redisPrefix(queuePrefix) });
}

function postgresStore({
  databaseUrl,
  isDatabasePooled,
  logger,
}: SessionSettings): Pick<Sessions, 'store' | 'close'> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'querywright sessions',
    max: SESSION_CONNECTIONS,
    keepAlive: true,
    connectionTimeoutMillis: SESSION_DEADLINE_MS,
    query_timeout: SESSION_DEADLINE_MS,
    ...(isDatabasePooled ? {} : { statement_timeout: SESSION_DEADLINE_MS }),
  });
  pool.on('error', (error) => logger.warn({ err: error }, 'session connection error'));
  const PgStore = connectPgSimple(session);
  const store = new PgStore({
    pool,
    tableName: 'sessions',
    pruneSessionInterval: PRUNE_EVERY_SECONDS,
    errorLog: (...details: unknown[]) => logger.warn({ err: details.at(-1) }, 'pruning sessions failed'),
  });
  return {
    store,
    async close() {
      await store.close();
      await pool.end();
    },
  };
}

/** A session that cannot be renewed must not break a response that has started. */
function tolerant(store: Store, logger: Logger): Store {
  const touch = store.touch?.bind(store);
  store.touch = (sid: string, data: SessionData, done?: () => void) => {
    const finish = (error?: unknown) => {
      if (error) logger.warn({ err: error }, 'session renewal failed');
      done?.();
    };
    if (touch) touch(sid, data, finish);
    else finish();
  };
  return store;
}

/** The four node-redis calls that connect-redis makes. */
function asNodeRedis(redis: RedisConnection) {
  return {
    get: (key: string) => redis.get(key),
    set: (key: string, value: string, { expiration }: { expiration: { value: number } }) =>
      redis.set(key, value, 'EX', expiration.value),
    expire: (key: string, seconds: number) => redis.expire(key, seconds),
    del: (keys: string[]) => redis.del(...keys),
  };
}
