import { runMigrations } from 'bullmq';
import { createClient, createDatabase } from '../db/database.ts';
import { migrate, migrateBack } from '../db/migrate.ts';
import { seedSandboxPeople } from '../db/sandbox-people.ts';
import { seedServices } from '../db/services.ts';
import { readConfigOrExit } from '../infra/config.ts';
import { createLogger } from '../infra/logger.ts';

// The release step: migrates the schema and seeds the catalogue. Safe while the old version serves, and concurrently.
const config = readConfigOrExit();
const logger = createLogger('release', config);
const onRetry = (error: unknown) => logger.warn({ err: error }, 'lock not granted; retrying');
const db = createDatabase(config.listenDatabaseUrl, { applicationName: 'querywright release', poolMax: 2 });
try {
  await (process.argv[2] === 'back' ? goBack() : goForward());
} catch (error) {
  logger.fatal({ err: error }, 'release failed');
  process.exitCode = 1;
} finally {
  await db.destroy();
}

async function goForward(): Promise<void> {
  const applied = await migrate(config.listenDatabaseUrl, { onRetry });
  await seedServices(db);
  if (config.oidc.local) await seedSandboxPeople(db, config.oidc.issuer);
  if (!config.redisUrl) await migrateQueue();
  logger.info({ applied }, 'database is up to date');
}

/** `migrate.js back` undoes the newest migration. */
async function goBack(): Promise<void> {
  const undone = await migrateBack(config.listenDatabaseUrl, { onRetry });
  logger.info({ undone }, 'newest migration undone');
}

/** BullMQ's tables, in a separate schema. */
async function migrateQueue(): Promise<void> {
  const client = createClient(config.listenDatabaseUrl, 'querywright release');
  await client.connect();
  try {
    await runMigrations(client);
  } finally {
    await client.end();
  }
}
