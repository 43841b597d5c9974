import createKnex, { type Knex } from 'knex';
import pg from 'pg';
import { migrationSource } from './migrations/index.ts';

export type Database = Knex;
export type Transaction = Knex.Transaction;

export interface DatabaseOptions {
  /** docs/operations.md has the sum over all processes. */
  poolMax?: number;
  /** Shown in pg_stat_activity. */
  applicationName?: string;
  /** Called when an idle connection breaks; an unhandled 'error' event would end the process. */
  onError?: (error: Error) => void;
}

/**
 * Limits every statement to 5 s, every lock wait to 2 s and every wait for a connection to 3 s: a slow database causes
 * errors, never hangs.
 */
export function createDatabase(url: string, options: DatabaseOptions = {}): Database {
  const report = (message: unknown) => options.onError?.(new Error(String(message)));
  const knex = createKnex({
    client: 'pg',
    connection: {
      connectionString: url,
      application_name: options.applicationName ?? 'querywright',
      keepAlive: true,
      connectionTimeoutMillis: 3_000,
      // On the client too: a half-open connection never delivers the server's timeout.
      query_timeout: 8_000,
      options: '-c statement_timeout=5000 -c lock_timeout=2000 -c idle_in_transaction_session_timeout=15000',
    } as Knex.PgConnectionConfig,
    pool: {
      min: 0,
      max: options.poolMax ?? 10,
      acquireTimeoutMillis: 3_000,
      afterCreate: (connection: pg.Client, done: (error: Error | null, connection: pg.Client) => void) => {
        connection.on('error', (error) => options.onError?.(error));
        done(null, connection);
      },
    },
    // knex prints broken connections to the console by default.
    log: { warn: report, error: report, deprecate: report, debug: () => {} },
    migrations: { migrationSource, tableName: 'schema_migrations' },
  });
  return knex;
}

/** The database's clock, ms since the epoch: the only clock that is compared between processes. */
export async function databaseTime(db: Database): Promise<number> {
  const { rows } = await db.raw<{ rows: { ms: string }[] }>(
    'select extract(epoch from clock_timestamp()) * 1000 as ms',
  );
  return Math.floor(Number(rows[0]?.ms));
}

/** @throws if the database does not answer */
export async function ping(db: Database): Promise<void> {
  await db.raw('select 1');
}

/** A client outside the pool, for LISTEN and for BullMQ's migrations. */
export function createClient(url: string, applicationName: string): pg.Client {
  return new pg.Client({
    connectionString: url,
    application_name: applicationName,
    keepAlive: true,
    connectionTimeoutMillis: 3_000,
  });
}
