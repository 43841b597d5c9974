import { runMigrations } from 'bullmq';
import { createClient, createDatabase } from '../db/database.ts';
import { seedSandboxPeople } from '../db/sandbox-people.ts';
import { seedServices } from '../db/services.ts';
import { readConfigOrExit } from '../infra/config.ts';
import { createLogger } from '../infra/logger.ts';

// The release step: brings the schema to this version and the catalogue into it. Safe to run while the old version
// serves, and by several releases at once (knex and BullMQ both take a lock).
const config = readConfigOrExit();
const logger = createLogger('release', config.logLevel);
const db = createDatabase(config.databaseUrl, { applicationName: 'querywright release', poolMax: 2 });
try {
  await (process.argv[2] === 'back' ? goBack() : goForward());
} catch (error) {
  logger.fatal({ err: error }, 'release failed');
  process.exitCode = 1;
} finally {
  await db.destroy();
}

async function goForward(): Promise<void> {
  const [, applied] = await db.migrate.latest();
  await seedServices(db);
  if (config.oidc.local) await seedSandboxPeople(db, config.oidc.issuer);
  if (!config.redisUrl) await migrateQueue();
  logger.info({ applied }, 'database is up to date');
}

/** `migrate.js back`: undoes the newest migration, for a release that has to be taken back. */
async function goBack(): Promise<void> {
  const [, undone] = await db.migrate.down();
  logger.info({ undone }, 'the newest migration is undone');
}

/** BullMQ's own tables, in its own schema, for the backend that stands on PostgreSQL. */
async function migrateQueue(): Promise<void> {
  const client = createClient(config.databaseUrl, 'querywright release');
  await client.connect();
  try {
    await runMigrations(client);
  } finally {
    await client.end();
  }
}
