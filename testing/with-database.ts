import { afterAll, inject } from 'vitest';
import { createDatabase, type Database } from '../db/database.ts';
import { createTestDatabase } from './databases.ts';

/** A database for the calling file; its connections are closed after the tests. */
export async function withDatabase(): Promise<Database> {
  const db = createDatabase(await createTestDatabase(inject('postgresUrl')));
  afterAll(() => db.destroy());
  return db;
}
