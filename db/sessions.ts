import type { Database } from './database.ts';

export interface StoredSession {
  sid: string;
  sess: { device?: string | null; signedInAt?: number };
  expire: Date;
}

/** A user's sessions in the `sessions` table that have not expired. */
export function listSessionsOf(db: Database, userId: string): Promise<StoredSession[]> {
  return db('sessions')
    .select('sid', 'sess', 'expire')
    .whereRaw(`sess->>'userId' = ? and expire > now()`, [userId]);
}

/** Deletes one session of the `sessions` table. Returns how many there were. */
export function deleteSession(db: Database, sid: string): Promise<number> {
  return db('sessions').where({ sid }).delete();
}

/** Deletes a user's sessions from the `sessions` table. Returns how many there were. */
export function deleteSessionsOf(db: Database, userId: string): Promise<number> {
  return db('sessions').whereRaw(`sess->>'userId' = ?`, [userId]).delete();
}
