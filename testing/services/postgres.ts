import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@querywright/sandbox/listen';
import { type PostgresServer, startPostgres } from '@querywright/sandbox/postgres';
import { prepareTemplate } from '../databases.ts';

export interface TestPostgres {
  /** The address of a migrated and seeded database. */
  url: string;
  /** Its data folder. */
  folder: string;
  stop(): Promise<void>;
  /** Starts it again on the same port and data. */
  restart(): Promise<void>;
  /** Freezes the server and all its connections until `resume`. */
  pause(): void;
  resume(): void;
  remove(): Promise<void>;
}

/** The data folder that `npm test` has prepared, to be copied: each server would take a second of CPU time to prepare one. */
const { TEST_CLUSTER: cluster } = process.env;

interface TestPostgresOptions {
  folder: string;
  port?: number;
  settings?: Record<string, string>;
  onLog?: (line: string) => void;
}

/** A PostgreSQL with the template database. Without fsync it survives being killed, not a power loss. */
export async function startTestPostgres({
  folder,
  port,
  settings = {},
  onLog,
}: TestPostgresOptions): Promise<PostgresServer> {
  const isNew = !existsSync(folder);
  // Another user owns the files if root runs the tests.
  if (isNew && cluster) execFileSync('cp', ['-Rp', cluster, folder]);
  const server = await startPostgres({
    folder,
    port: port ?? (await freePort()),
    settings: { fsync: 'off', ...settings },
    onLog,
  });
  if (isNew && !cluster) await prepareTemplate(server.url);
  return server;
}

/** A private one, which can be stopped, restarted and frozen. */
export async function startOwnPostgres(
  settings: Record<string, string> = {},
  onLog?: (line: string) => void,
): Promise<TestPostgres> {
  const parent = mkdtempSync(path.join(tmpdir(), 'querywright-postgres-'));
  const folder = path.join(parent, 'data');
  const port = await freePort();
  const start = () => startTestPostgres({ folder, port, settings, onLog });
  let server = await start();
  let isRunning = true;

  const stop = async () => {
    if (isRunning) await server.stop('SIGQUIT');
    isRunning = false;
  };
  return {
    url: server.url('querywright_template'),
    folder,
    stop,
    async restart() {
      await stop();
      server = await start();
      isRunning = true;
    },
    // The postmaster first: it then forks no further backend.
    pause: () => signal([server.pid, ...childrenOf(server.pid)], 'SIGSTOP'),
    resume: () => signal([...childrenOf(server.pid), server.pid], 'SIGCONT'),
    async remove() {
      await stop();
      rmSync(parent, { recursive: true, force: true });
    },
  };
}

function childrenOf(pid: number): number[] {
  return execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean)
    .map(Number);
}

function signal(pids: number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It has just ended.
    }
  }
}
