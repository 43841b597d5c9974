import type { Database } from './database.ts';

export interface StoredSession {
  sid: string;
  sess: { device?: string | null; signedInAt?: number };
  expire: Date;
}

export function listSessionsOf(db: Database, userId: string): Promise<StoredSession[]> {
  return db('sessions')
    .select('sid', 'sess', 'expire')
    .whereRaw(`sess->>'userId' = ? and expire > now()`, [userId]);
}

export function deleteSession(db: Database, sid: string): Promise<number> {
  return db('sessions').where({ sid }).delete();
}

export function deleteSessionsOf(db: Database, userId: string): Promise<number> {
  return db('sessions').whereRaw(`sess->>'userId' = ?`, [userId]).delete();
}
