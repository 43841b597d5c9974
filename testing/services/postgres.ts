import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@querywright/sandbox/listen';
import { startPostgres } from '@querywright/sandbox/postgres';
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

/** A private PostgreSQL without fsync: survives being killed, not a power loss. */
export async function startOwnPostgres(
  settings: Record<string, string> = {},
  onLog?: (line: string) => void,
): Promise<TestPostgres> {
  const parent = mkdtempSync(path.join(tmpdir(), 'querywright-postgres-'));
  const folder = path.join(parent, 'data');
  const port = await freePort();
  const start = () =>
    startPostgres({
      folder,
      port,
      settings: { fsync: 'off', ...settings },
      onLog,
    });
  let server = await start();
  await prepareTemplate(server.url);
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
