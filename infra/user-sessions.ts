import type { SessionData } from 'express-session';
import type { Redis } from 'ioredis';
import type { Database } from '../db/database.ts';
import { deleteSession, deleteSessionsOf, listSessionsOf } from '../db/sessions.ts';
import { connectRedis, primariesOf, type RedisConnection } from './redis.ts';

/** A session in which a user is signed in. Times are ms since the epoch. */
export interface UserSession {
  /** Secret: the cookie contains it. */
  sid: string;
  device: string | null;
  signedInAt: number;
  /** When it expires if it is not used. */
  expiresAt: number;
}

/** The signed-in sessions by user, on either store. Every call throws if the store does not answer. */
export interface UserSessions {
  list(userId: string): Promise<UserSession[]>;
  end(session: UserSession): Promise<void>;
  endAll(userId: string): Promise<number>;
}

interface Place {
  /** Undefined keeps the sessions in the `sessions` table. */
  redis: RedisConnection | undefined;
  queuePrefix: string;
  db: Database;
}

export function createUserSessions({ redis, queuePrefix, db }: Place): UserSessions {
  return redis ? inRedis(redis, redisPrefix(queuePrefix)) : inPostgres(db);
}

export const redisPrefix = (queuePrefix: string) => `${queuePrefix}:session:`;

function inPostgres(db: Database): UserSessions {
  return {
    async list(userId) {
      const rows = await listSessionsOf(db, userId);
      return rows.map(({ sid, sess, expire }) => toUserSession(sid, sess, expire.getTime()));
    },
    async end({ sid }) {
      await deleteSession(db, sid);
    },
    endAll: (userId) => deleteSessionsOf(db, userId),
  };
}

/** Scans all sessions: an index by user would have to expire with each of them, and none is older than 12 hours. */
function inRedis(redis: RedisConnection, prefix: string): UserSessions {
  async function collect<T>(
    userId: string,
    take: (server: Redis, key: string, session: Partial<SessionData>) => Promise<T>,
  ): Promise<T[]> {
    const servers = await primariesOf(redis);
    const found = servers.map((server) =>
      sessionsOn(server, prefix, userId, (key, session) => take(server, key, session)),
    );
    return (await Promise.all(found)).flat();
  }
  const scans = new Map<string, Promise<UserSession[]>>();
  return {
    /** Concurrent calls share one scan. */
    list(userId) {
      const running = scans.get(userId);
      if (running !== undefined) return running;
      const scan = collect(userId, async (server, key, session) => {
        const expiresAt = Date.now() + (await server.pttl(key));
        return toUserSession(key.slice(prefix.length), session, expiresAt);
      }).finally(() => scans.delete(userId));
      scans.set(userId, scan);
      return scan;
    },
    async end({ sid }) {
      await redis.del(prefix + sid);
    },
    async endAll(userId) {
      const counts = await collect(userId, (server, key) => server.del(key));
      return counts.reduce((sum, count) => sum + count, 0);
    },
  };
}

async function sessionsOn<T>(
  redis: Redis,
  prefix: string,
  userId: string,
  take: (key: string, session: Partial<SessionData>) => Promise<T>,
): Promise<T[]> {
  // A scan may return a key more than once.
  const found = new Map<string, T>();
  for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 500 })) {
    await Promise.all(
      [...new Set(keys as string[])].map(async (key) => {
        const session = JSON.parse((await redis.get(key)) ?? '{}') as Partial<SessionData>;
        if (session.userId === userId && !found.has(key)) found.set(key, await take(key, session));
      }),
    );
  }
  return [...found.values()];
}

function toUserSession(
  sid: string,
  { device = null, signedInAt = 0 }: Partial<Pick<SessionData, 'device' | 'signedInAt'>>,
  expiresAt: number,
): UserSession {
  return { sid, device, signedInAt, expiresAt };
}

/** Ends all sessions of a user and returns how many there were. @throws if the store does not answer */
export async function revokeSessions(
  where: { redisUrl: string | undefined; queuePrefix: string; db: Database },
  userId: string,
): Promise<number> {
  const { redisUrl, ...place } = where;
  if (!redisUrl) return createUserSessions({ ...place, redis: undefined }).endAll(userId);
  const redis = connectRedis(redisUrl, { connectTimeout: 5_000, maxRetriesPerRequest: 3 }, () => {});
  try {
    return await createUserSessions({ ...place, redis }).endAll(userId);
  } finally {
    redis.disconnect();
  }
}
