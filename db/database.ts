import createKnex, { type Knex } from 'knex';
import pg from 'pg';
import { migrationSource } from './migrations/index.ts';

export type Database = Knex;
export type Transaction = Knex.Transaction;

// Timestamps stay Dates; int8 is only used for row ids, which stay strings (ids are names, not numbers).

export interface DatabaseOptions {
  /** Upper limit of the pool; see docs/operations.md for the sum over all processes. */
  poolMax?: number;
  /** Shown in pg_stat_activity. */
  applicationName?: string;
  /** Called when an idle connection breaks; without it the process would die of the event (57P01 on a restart). */
  onError?: (error: Error) => void;
}

/**
 * A knex instance on `url`. No statement runs longer than 5 s or waits for a lock longer than 2 s, no caller waits
 * for a connection longer than 3 s: a slow database shows as an error, never as a hang.
 */
export function createDatabase(url: string, options: DatabaseOptions = {}): Database {
  const tell = (message: unknown) => options.onError?.(new Error(String(message)));
  const knex = createKnex({
    client: 'pg',
    connection: {
      connectionString: url,
      application_name: options.applicationName ?? 'querywright',
      keepAlive: true,
      connectionTimeoutMillis: 3_000,
      // A half-open connection never answers, not even with the server's own timeout.
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
    // knex prints broken connections by itself; they are told to the caller, who has a log.
    log: { warn: tell, error: tell, deprecate: tell, debug: () => {} },
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

/** A single client outside the pool, for LISTEN and for BullMQ's migrations. */
export function createClient(url: string, applicationName: string): pg.Client {
  return new pg.Client({
    connectionString: url,
    application_name: applicationName,
    keepAlive: true,
    connectionTimeoutMillis: 3_000,
  });
}
