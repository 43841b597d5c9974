import connectPgSimple from 'connect-pg-simple';
import { RedisStore } from 'connect-redis';
import session, { type SessionData, type Store } from 'express-session';
import pg from 'pg';
import { type Database, KEEPALIVE } from '../db/database.ts';
import { updateSession } from '../db/sessions.ts';
import type { Logger } from './logger.ts';
import type { RedisConnection } from './redis.ts';
import { createUserSessions, redisPrefix, type UserSessions } from './user-sessions.ts';

/** The longest a request waits for its session. */
export const SESSION_DEADLINE_MS = 1_000;
/** Frees a connection whose server does not answer. Longer than the deadline, which decides what the request gets. */
const SILENCE_MS = 3_000;
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

interface SessionSettings {
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
  const { store, update, close } = redis ? redisStore(redis, queuePrefix) : postgresStore(settings);
  return {
    store: tolerant(withoutRevival(store, update), logger),
    ofUsers: createUserSessions(settings),
    idleMs: IDLE_MS,
    absoluteMs: ABSOLUTE_MS,
    close,
  };
}

type Done = (error?: unknown) => void;
type Write = (sid: string, data: SessionData, done?: Done) => unknown;

interface Backend {
  store: Store;
  /** Writes a session only if it still exists. */
  update: Write;
  close(): Promise<void>;
}

function redisStore(redis: RedisConnection, queuePrefix: string): Backend {
  const prefix = redisPrefix(queuePrefix);
  const existing = new RedisStore({ client: asNodeRedis(redis, 'XX'), prefix });
  return {
    store: new RedisStore({ client: asNodeRedis(redis), prefix }),
    update: existing.set.bind(existing),
    close: async () => {},
  };
}

function postgresStore({ databaseUrl, isDatabasePooled, logger }: SessionSettings): Backend {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'querywright sessions',
    max: SESSION_CONNECTIONS,
    ...KEEPALIVE,
    connectionTimeoutMillis: SILENCE_MS,
    query_timeout: SILENCE_MS,
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
    update: (sid, data, done) =>
      updateSession(pool, sid, data, data.cookie.expires ?? new Date()).then(() => done?.(), done),
    async close() {
      await store.close();
      await pool.end();
    },
  };
}

/** Inserts new sessions only, so that one revoked during a request is not restored. */
function withoutRevival(store: Store, update: Write): Store {
  const stored = new WeakSet<object>();
  const createSession = store.createSession.bind(store);
  const insert = store.set.bind(store);
  store.createSession = (req, data) => {
    const read = createSession(req, data);
    stored.add(read);
    return read;
  };
  store.set = (sid: string, data: SessionData, done?: Done) => {
    const write = stored.has(data) ? update : insert;
    stored.add(data);
    write(sid, data, done);
  };
  return store;
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
function asNodeRedis(redis: RedisConnection, condition?: 'XX') {
  return {
    get: (key: string) => redis.get(key),
    set: (key: string, value: string, { expiration }: { expiration: { value: number } }) =>
      condition
        ? redis.set(key, value, 'EX', expiration.value, condition)
        : redis.set(key, value, 'EX', expiration.value),
    expire: (key: string, seconds: number) => redis.expire(key, seconds),
    del: (keys: string[]) => redis.del(...keys),
  };
}
