import connectPgSimple from 'connect-pg-simple';
import { RedisStore } from 'connect-redis';
import session, { type SessionData, type Store } from 'express-session';
import { Cluster, type Redis } from 'ioredis';
import pg from 'pg';
import type { Database } from '../db/database.ts';
import type { Logger } from './logger.ts';
import { connectRedis, type RedisConnection } from './redis.ts';

/** Longer than this nobody waits for a session. */
export const SESSION_DEADLINE_MS = 1_000;
const POOL_MAX = 4;
const PRUNE_EVERY_SECONDS = 900;

/** A session nobody uses ends after half an hour, and every session after half a day. */
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

/** Where sessions are kept: Redis, or PostgreSQL without it. Shared by all web processes. */
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

/**
 * Signs the user out everywhere: every session of theirs ends, in whatever browser and web process. Returns how many
 * there were. Waits for the store, unlike a request. @throws the connection's error if it does not answer
 */
export async function revokeSessions(
  where: { redisUrl: string | undefined; queuePrefix: string; db: Database },
  userId: string,
): Promise<number> {
  const { redisUrl, queuePrefix, db } = where;
  if (!redisUrl) return db('sessions').whereRaw(`sess->>'userId' = ?`, [userId]).delete();
  const redis = connectRedis(redisUrl, { connectTimeout: 5_000, maxRetriesPerRequest: 3 }, () => {});
  try {
    // Each master of a cluster lists its own keys only. Its list of masters is known once it has answered.
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
