import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { freePort } from '@querywright/sandbox/listen';
import { startPostgres } from '@querywright/sandbox/postgres';
import pg from 'pg';
import type { TestPostgres } from '../services/postgres.ts';
import { waitFor } from '../wait-for.ts';

interface Standby {
  url: string;
  promote(): Promise<void>;
  stop(): Promise<void>;
}

/** Copies the primary and streams from it. Synchronous: the primary's commits wait until they are here. */
export async function startStandby(
  parent: string,
  primary: TestPostgres,
  replication: 'synchronous' | 'asynchronous',
): Promise<Standby> {
  const folder = path.join(parent, 'standby');
  await primary.stop();
  execFileSync('cp', ['-a', primary.folder, folder]);
  // Empty, and with the owner that PostgreSQL's own files have.
  execFileSync('cp', ['-a', path.join(folder, 'PG_VERSION'), path.join(folder, 'standby.signal')]);
  await primary.restart();
  const { port, pathname } = new URL(primary.url);
  const settings = { fsync: 'off', primary_conninfo: `host=127.0.0.1 port=${port} user=postgres` };
  const server = await startPostgres({ folder, port: await freePort(), settings });
  const synchronous = replication === 'synchronous';
  await ask(primary.url, `alter system set synchronous_standby_names = '${synchronous ? '*' : ''}'`);
  await ask(primary.url, 'select pg_reload_conf()');
  await waitFor('the standby streams', () => streams(primary.url, synchronous ? 'sync' : 'async'));
  const url = server.url(pathname.slice(1));
  return { url, promote: () => promote(url), stop: () => server.stop('SIGQUIT') };
}

async function streams(url: string, state: string): Promise<boolean> {
  const [row] = await ask(url, 'select state, sync_state from pg_stat_replication');
  return row?.state === 'streaming' && row.sync_state === state;
}

async function promote(url: string): Promise<void> {
  const [row] = await ask(url, 'select pg_promote() as "isPromoted"');
  if (!row?.isPromoted) throw new Error('The standby was not promoted');
}

export async function ask(url: string, query: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 500,
    query_timeout: 60_000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(query)).rows;
  } finally {
    await client.end();
  }
}
