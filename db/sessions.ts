import type { Pool } from 'pg';
import type { Database } from './database.ts';

interface StoredSession {
  sid: string;
  sess: { device?: string | null; signedInAt?: number };
  expire: Date;
}

export function listSessionsOf(db: Database, userId: string): Promise<StoredSession[]> {
  return db('sessions')
    .select('sid', 'sess', 'expire')
    .whereRaw(`sess->>'userId' = ? and expire > now()`, [userId]);
}

/** Changes nothing if the session was deleted. */
export async function updateSession(pool: Pool, sid: string, sess: object, expire: Date): Promise<void> {
  await pool.query('update sessions set sess = $1, expire = $2 where sid = $3', [sess, expire, sid]);
}

export function deleteSession(db: Database, sid: string): Promise<number> {
  return db('sessions').where({ sid }).delete();
}

export function deleteSessionsOf(db: Database, userId: string): Promise<number> {
  return db('sessions').whereRaw(`sess->>'userId' = ?`, [userId]).delete();
}
