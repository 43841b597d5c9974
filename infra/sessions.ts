import connectPgSimple from 'connect-pg-simple';
import { RedisStore } from 'connect-redis';
import session, { type SessionData, type Store } from 'express-session';
import { Cluster, type Redis } from 'ioredis';
import pg from 'pg';
import type { Database } from '../db/database.ts';
import { deleteSessionsOf } from '../db/sessions.ts';
import type { Logger } from './logger.ts';
import { connectRedis, type RedisConnection } from './redis.ts';

/** No request waits longer for its session. */
export const SESSION_DEADLINE_MS = 1_000;
const POOL_MAX = 4;
const PRUNE_EVERY_SECONDS = 900;

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

/** Sessions in Redis, or in PostgreSQL without it; shared by all web processes. */
export function createSessions(settings: SessionSettings): Sessions {
  const { redis, queuePrefix } = settings;
  if (!redis) return postgresStore(settings);
  const store = new RedisStore({ client: asNodeRedis(redis), prefix: redisPrefix(queuePrefix) });
  return { ...lifetimes, store: tolerant(store, settings.logger), close: async () => {} };
}

const redisPrefix = (queuePrefix: string) => `${queuePrefix}:session:`;
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
  pool.on('error', (error) => logger.warn({ err: error }, 'session connection error'));
  const PgStore = connectPgSimple(session);
  const store = new PgStore({
    pool,
    tableName: 'sessions',
    pruneSessionInterval: PRUNE_EVERY_SECONDS,
    errorLog: (...details: unknown[]) => logger.warn({ err: details.at(-1) }, 'pruning sessions failed'),
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

/** Ends all sessions of a user and returns how many there were. @throws if the store does not answer */
export async function revokeSessions(
  where: { redisUrl: string | undefined; queuePrefix: string; db: Database },
  userId: string,
): Promise<number> {
  const { redisUrl, queuePrefix, db } = where;
  if (!redisUrl) return deleteSessionsOf(db, userId);
  const redis = connectRedis(redisUrl, { connectTimeout: 5_000, maxRetriesPerRequest: 3 }, () => {});
  try {
    // Each master of a cluster lists its own keys only, and the masters are known after the first answer.
    await redis.ping();
    const servers = redis instanceof Cluster ? redis.nodes('master') : [redis];
    const counts = await Promise.all(
      servers.map((server) => revokeOn(server, redisPrefix(queuePrefix), userId)),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  } finally {
    redis.disconnect();
  }
}

async function revokeOn(redis: Redis, prefix: string, userId: string): Promise<number> {
  let revoked = 0;
  for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 500 })) {
    const ofUser = await Promise.all(
      (keys as string[]).map(async (key) => (userOf(await redis.get(key)) === userId ? redis.del(key) : 0)),
    );
    revoked += ofUser.reduce((sum, count) => sum + count, 0);
  }
  return revoked;
}

function userOf(stored: string | null): string | undefined {
  const { userId } = JSON.parse(stored ?? '{}') as Partial<SessionData>;
  return userId;
}
