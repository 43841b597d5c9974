import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '@querywright/sandbox/listen';
import pg from 'pg';
import { TIME_LIMITS } from '../../db/database.ts';
import { type Child, startChild } from '../child-process.ts';

interface PgBouncer {
  /** The database behind it, as a role that has the time limits and owns nothing. */
  url: string;
  /** Kills it and starts it again: every connection breaks. */
  strike(): Promise<void>;
  stop(): Promise<void>;
}

const ROLE = 'qw_pooled';

/** PgBouncer in front of the database of `directUrl`. */
export async function startPgBouncer(
  folder: string,
  directUrl: string,
  mode: 'session' | 'transaction',
): Promise<PgBouncer> {
  await makeRole(directUrl);
  const server = new URL(directUrl);
  const port = await freePort();
  const file = path.join(folder, 'pgbouncer.ini');
  const users = path.join(folder, 'users.txt');
  writeFileSync(users, `"${ROLE}" "pooled"\n`);
  const settings = [
    '[databases]',
    `* = host=127.0.0.1 port=${server.port}`,
    '[pgbouncer]',
    ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir ='],
    ...['auth_type = scram-sha-256', `auth_file = ${users}`],
    ...[`pool_mode = ${mode}`, 'default_pool_size = 30', 'max_client_conn = 500'],
    // Session mode: PgBouncer ignores the settings that a client sends at start-up; the role has the limits.
    ...(mode === 'session' ? ['ignore_startup_parameters = options,statement_timeout'] : []),
  ];
  writeFileSync(file, settings.join('\n'));
  chmodSync(folder, 0o755);
  const start = async (): Promise<Child> => {
    const child = startChild(...unprivileged('pgbouncer', [file]));
    await child.untilPrinted('process up');
    return child;
  };
  let child = await start();
  return {
    url: `postgres://${ROLE}:pooled@127.0.0.1:${port}${server.pathname}`,
    async strike() {
      await child.kill();
      child = await start();
    },
    stop: () => child.kill(),
  };
}

async function makeRole(directUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: directUrl });
  await client.connect();
  const limits = Object.entries(TIME_LIMITS).map(
    ([name, ms]) => `alter role ${ROLE} set ${name} = '${ms}ms';`,
  );
  await client.query(`
    create role ${ROLE} login password 'pooled';
    grant usage on schema public to ${ROLE};
    grant select, insert, update, delete on all tables in schema public to ${ROLE};
    grant usage on all sequences in schema public to ${ROLE};
    ${limits.join('\n')}`);
  await client.end();
}

/** PgBouncer refuses to run as root. */
function unprivileged(program: string, args: string[]): [string, string[]] {
  if (process.getuid?.() !== 0) return [program, args];
  return ['setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', program, ...args]];
}
