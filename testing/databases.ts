import { randomUUID } from 'node:crypto';
import { runMigrations } from 'bullmq';
import pg from 'pg';
import { createDatabase } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { seedServices } from '../db/services.ts';

const TEMPLATE = 'querywright_template';

/** Migrates and seeds the database that each test file gets a copy of. */
export async function prepareTemplate(serverUrl: (database: string) => string): Promise<void> {
  await withAdmin(serverUrl('postgres'), (admin) => admin.query(`create database ${TEMPLATE}`));
  const url = serverUrl(TEMPLATE);
  await migrate(url);
  const db = createDatabase(url, { poolMax: 2 });
  await seedServices(db);
  await db.destroy();
  await withAdmin(url, (client) => runMigrations(client));
}

/** Creates a migrated and seeded database on the server of `adminUrl`. Returns its address. */
export async function createTestDatabase(adminUrl: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // Half the time of copying it through the log, which is for servers with much to write at a checkpoint.
  const copy = `create database ${name} template ${TEMPLATE} strategy file_copy`;
  await withAdmin(adminUrl, (admin) => admin.query(copy));
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function withAdmin(url: string, use: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}
