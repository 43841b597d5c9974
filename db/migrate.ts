import { setTimeout as sleep } from 'node:timers/promises';
import createKnex, { type Knex } from 'knex';
import { LOCK_TIMEOUT } from './build-index.ts';
import { createClient, type Database, KEEPALIVE } from './database.ts';
import { migrationSource } from './migrations/index.ts';

const MAX_TRIES = 120;
const RETRY_MS = 1_000;
/** A busy database accepts connections late, and no one waits for a page here. */
const CONNECT_MS = 30_000;
/** An arbitrary number that nothing else locks. */
const RELEASE_LOCK = 7_140_118_203;

interface MigrateOptions {
  /** Called when a lock was not granted in time. */
  onRetry?: (error: unknown) => void;
}

/**
 * Applies the missing migrations one by one and returns their names. Safe while the product serves, and concurrently. A
 * schema of a later release is left as it is, so that the release before it can be deployed again.
 */
export function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  return asOnlyRelease(url, async (knex) => {
    const applied: string[] = [];
    for (;;) {
      const [, names] = await untilLocked(() => knex.migrate.up(), options);
      if (names.length === 0) return applied;
      applied.push(...names);
    }
  });
}

/** Undoes the newest migration. @throws if a later release made it: only that release knows how */
export function migrateBack(url: string, options: MigrateOptions = {}): Promise<string[]> {
  return asOnlyRelease(url, async (knex) => {
    const known = await migrationSource.getMigrations([]);
    const [newest] = await knex('schema_migrations').orderBy('id', 'desc').limit(1).pluck('name');
    if (newest && !known.includes(newest)) {
      throw new Error(`${newest} is of a later release: go back with that release's image first`);
    }
    const [, undone] = await untilLocked(() => knex.migrate.down(), options);
    return undone;
  });
}

/** How the schema differs from this release's: migrations that were not applied, and those of a later release. */
export async function compareSchema(db: Database): Promise<{ missing: string[]; later: string[] }> {
  const known = await migrationSource.getMigrations([]);
  const { rows } = await db.raw("select to_regclass('schema_migrations') is not null as exists");
  const applied: string[] = rows[0].exists ? await db('schema_migrations').orderBy('id').pluck('name') : [];
  return {
    missing: known.filter((name) => !applied.includes(name)),
    later: applied.filter((name) => !known.includes(name)),
  };
}

async function asOnlyRelease<T>(url: string, work: (knex: Knex) => Promise<T>): Promise<T> {
  const holder = createClient(url, 'querywright release', CONNECT_MS);
  await holder.connect();
  const knex = openWithoutLimits(url);
  try {
    // Polled, because a session waiting for a lock would block concurrent index builds.
    while (!(await tryLock(holder))) await sleep(RETRY_MS);
    // Releases the lock of a migration that was killed.
    await knex.migrate.forceFreeMigrationsLock();
    return await work(knex);
  } finally {
    await knex.destroy();
    await holder.end();
  }
}

async function tryLock(client: ReturnType<typeof createClient>): Promise<boolean> {
  const { rows } = await client.query('select pg_try_advisory_lock($1) as locked', [RELEASE_LOCK]);
  return rows[0].locked;
}

/** One connection, so that its settings apply throughout. No time limit: indexing a large table takes hours. */
function openWithoutLimits(url: string): Knex {
  return createKnex({
    client: 'pg',
    connection: {
      connectionString: url,
      application_name: 'querywright release',
      ...KEEPALIVE,
      connectionTimeoutMillis: CONNECT_MS,
      options: `-c statement_timeout=0 -c lock_timeout=${LOCK_TIMEOUT}`,
    } as Knex.PgConnectionConfig,
    pool: { min: 0, max: 1 },
    log: { warn: () => {}, error: () => {}, deprecate: () => {}, debug: () => {} },
    migrations: {
      migrationSource,
      tableName: 'schema_migrations',
      // Names that this release does not know are those of a later one.
      disableMigrationsListValidation: true,
    },
  });
}

async function untilLocked<T>(work: () => Promise<T>, { onRetry }: MigrateOptions): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isLocked = (error as { code?: string }).code === '55P03';
      if (!isLocked || attempt === MAX_TRIES) throw error;
      onRetry?.(error);
      await sleep(RETRY_MS);
    }
  }
}
