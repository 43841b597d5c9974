import type { EventEmitter } from 'node:events';
import createKnex, { type Knex } from 'knex';
import pg from 'pg';
import { migrationSource } from './migrations/index.ts';

const READ_ONLY = '25006';

/** In ms, under PostgreSQL's names. */
export const TIME_LIMITS = {
  statement_timeout: 5_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 15_000,
} as const;
const limitsAsOptions = Object.entries(TIME_LIMITS)
  .map(([name, ms]) => `-c ${name}=${ms}`)
  .join(' ');

/** By default the first probe comes after 2 h. Firewalls and NAT forget a connection sooner. */
export const KEEPALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 };
/** Stay open in an idle process, as new ones have to prepare all statements. Others are closed after 30 s. */
const KEPT_CONNECTIONS = 2;

export type Database = Knex;
export type Transaction = Knex.Transaction;

interface DatabaseOptions {
  poolMax?: number;
  applicationName?: string;
  /**
   * The address is a pooler's: there the time limits are settings of the role (`missingTimeLimits` in connections.ts), and
   * statements are not prepared, since the next one may run in another session.
   */
  isPooled?: boolean;
  /** Called when an idle connection breaks; an unhandled 'error' event would end the process. */
  onError?: (error: Error) => void;
}

/** Every statement is limited to 5 s, every lock wait to 2 s, every wait for a connection to 3 s. */
export function createDatabase(url: string, options: DatabaseOptions = {}): Database {
  const report = (message: unknown) => options.onError?.(new Error(String(message)));
  const connections = new Map<string, PooledClient>();
  // Documented, but not part of knex's types.
  const userParams = { userParams: { preparesStatements: !options.isPooled } };
  const max = options.poolMax ?? 10;
  const knex = createKnex({
    client: 'pg',
    connection: {
      connectionString: url,
      application_name: options.applicationName ?? 'querywright',
      ...KEEPALIVE,
      connectionTimeoutMillis: 3_000,
      // On the client too: a half-open connection never delivers the server's timeout.
      query_timeout: 5_500,
      ...(options.isPooled ? {} : { options: limitsAsOptions }),
    } as Knex.PgConnectionConfig,
    pool: {
      min: Math.min(KEPT_CONNECTIONS, max),
      max,
      acquireTimeoutMillis: 3_000,
      afterCreate: (connection: PooledClient, done: (error: Error | null, client: PooledClient) => void) => {
        connection.on('error', (error) => options.onError?.(error));
        replaceWhenReadOnly(connection);
        connections.set(connection.__knexUid, connection);
        connection.once('end', () => connections.delete(connection.__knexUid));
        done(null, connection);
      },
    },
    ...userParams,
    // knex prints broken connections to the console by default.
    log: { warn: report, error: report, deprecate: report, debug: () => {} },
    migrations: { migrationSource, tableName: 'schema_migrations' },
  });
  // The server or the network is gone, and so it may be for the other connections: they are replaced before they are used
  // again. This one is destroyed at once, since a rollback would wait for it.
  knex.on('query-error', (error: Error, { __knexUid }: PooledClient) => {
    if (!error.message.endsWith('Query read timeout')) return;
    connections.get(__knexUid)?.connection.stream.destroy();
    for (const connection of connections.values()) replaceBeforeUse(connection, 'no answer');
  });
  return knex;
}

type PooledClient = pg.Client & {
  __knexUid: string;
  connection: EventEmitter & { stream: { destroy(): void } };
};

/** Sessions of a demoted primary stay read-only after the failover: the pool must not keep them. */
function replaceWhenReadOnly(client: PooledClient): void {
  client.connection.on('errorMessage', ({ code }: { code?: string }) => {
    if (code === READ_ONLY) replaceBeforeUse(client, 'read-only');
  });
}

function replaceBeforeUse(client: PooledClient, why: string): void {
  Object.assign(client, { __knex__disposed: why });
}

/**
 * Whether a SQLSTATE concerns the server, not a statement: connections, resources, operator intervention, I/O, read-only, a
 * transaction that idled too long (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
export function isServerFailure(sqlState: string): boolean {
  return /^(08|53|57|58)|^(25006|25P03)$/.test(sqlState);
}

/** Whether a connection or its pool failed, of which pg says nothing but this message. */
export function isConnectionFailure(message: string): boolean {
  return /timeout|terminated|Connection ended/i.test(message);
}

/** The database's clock, ms since the epoch: the only clock that is compared between processes. */
export async function databaseTime(db: Database): Promise<number> {
  const { rows } = await db.raw<{ rows: { ms: string }[] }>(
    'select extract(epoch from clock_timestamp()) * 1000 as ms',
  );
  return Math.floor(Number(rows[0]?.ms));
}

/** @throws if the database does not answer, is read-only or has no schema */
export async function requireWritable(db: Database): Promise<void> {
  const { rows } = await db.raw<{ rows: { isWritable: boolean }[] }>(
    `select current_setting('transaction_read_only') = 'off' and to_regclass('outbox') is not null as "isWritable"`,
  );
  if (!rows[0]?.isWritable) throw new Error('The database is read-only or has no schema');
}

/** A client outside the pool, for LISTEN and for a release's lock. Connecting takes at most `connectMs`. */
export function createClient(url: string, applicationName: string, connectMs = 3_000): pg.Client {
  return new pg.Client({
    connectionString: url,
    application_name: applicationName,
    ...KEEPALIVE,
    connectionTimeoutMillis: connectMs,
  });
}
