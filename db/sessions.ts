import type { Database } from './database.ts';

/** Deletes a user's sessions from the `sessions` table. Returns how many there were. */
export function deleteSessionsOf(db: Database, userId: string): Promise<number> {
  return db('sessions').whereRaw(`sess->>'userId' = ?`, [userId]).delete();
}
