import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { stopChild } from '../stop-child.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import { findRunner, type Runner } from './unprivileged.ts';

const START_LIMIT_MS = 20_000;
const STOP_LIMIT_MS = 3_000;
const MAX_LOG_LENGTH = 4_000;

/**
 * glibc gives the memory of a statement back to the kernel when it ends and fetches it again for the next: some hundred
 * page faults each, in virtual machines most of what a statement costs. Up to 16 MiB per connection stay.
 */
const keepMemory = { MALLOC_TRIM_THRESHOLD_: '16777216', MALLOC_MMAP_THRESHOLD_: '16777216' };

/** Files in its folder, removed with it. Elsewhere those of a killed server stay until the machine restarts. Not on Windows. */
const sharedMemory: Record<string, string> =
  process.platform === 'win32' ? {} : { dynamic_shared_memory_type: 'mmap' };

type ServerProcess = ChildProcessByStdio<null, null, Readable>;

interface PostgresOptions {
  folder: string;
  port: number;
  settings?: Record<string, string>;
  onLog?: (line: string) => void;
  /** It was not shut down properly and recovers, which has no time limit. */
  onRecovery?: () => void;
  /** Aborts start-up. */
  signal?: AbortSignal;
  onExit?: () => void;
}

export interface PostgresServer {
  url(database: string): string;
  pid: number;
  /** Stops the server, by default with a fast shutdown. */
  stop(signal?: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void>;
}

/** Starts the embedded PostgreSQL on loopback, after stopping one that a killed run left on this folder. */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const binaries = await findBinaries();
  const runner = findRunner(binaries.postgres);
  await endOrphan(options.folder);
  if (!existsSync(path.join(options.folder, 'PG_VERSION'))) initialize(binaries, runner, options.folder);

  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: String(options.port),
    max_connections: '200',
    ...sharedMemory,
    ...options.settings,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [command, rest] = runner.command(binaries.postgres, ['-D', options.folder, ...args]);
  // Detached: Ctrl-C in the terminal reaches the launcher only, which stops the database last.
  const child = spawn(command, rest, {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    env: { ...process.env, ...keepMemory },
  });
  let isExpectedToRun = false;
  const exited = once(child, 'exit').then(() => {
    if (isExpectedToRun) options.onExit?.();
  });
  await untilAnswering(child, options, readLog(child, options));
  isExpectedToRun = true;

  return {
    url: (database) => `postgres://postgres@127.0.0.1:${options.port}/${database}`,
    pid: child.pid ?? 0,
    async stop(signal = 'SIGINT') {
      isExpectedToRun = false;
      await stopChild(child, { signal, limitMs: STOP_LIMIT_MS, lastSignal: 'SIGQUIT' });
      await exited;
    },
  };
}

/** Creates the data folder under another name first: an interrupted set-up must not look like a database. */
function initialize(binaries: Binaries, runner: Runner, folder: string): void {
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  runner.own(unfinished);
  // No password: it listens on loopback only. Locale and encoding do not depend on the machine.
  const access = ['-U', 'postgres', '-A', 'trust'];
  const encoding = ['-E', 'UTF8', '--locale-provider=builtin', '--locale=C.UTF-8'];
  const [command, args] = runner.command(binaries.initdb, ['-D', unfinished, '-N', ...access, ...encoding]);
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0)
    throw new Error(`PostgreSQL could not set up its data folder: ${error?.message ?? stderr.trim()}`);
  renameSync(unfinished, folder);
}

/** Stops a database that a killed launcher left on this folder. */
async function endOrphan(folder: string): Promise<void> {
  const pidFile = path.join(folder, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  for (let waited = 0; isPostgresOn(pid, folder); waited += 100) {
    if (waited === 0) signal(pid, 'SIGINT');
    if (waited === 5_000) signal(pid, 'SIGQUIT');
    if (waited > 8_000)
      throw new Error(`A PostgreSQL (process ${pid}) still holds ${folder}; end it and start again`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  // PostgreSQL would mistake any later process with this id for a running server.
  rmSync(pidFile, { force: true });
}

function isPostgresOn(pid: number, folder: string): boolean {
  if (process.platform !== 'linux') return signal(pid, 0);
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(folder);
  } catch {
    return false;
  }
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

interface ServerLog {
  /** The last lines of its output. */
  text: string;
  isRecovering: boolean;
}

function readLog(child: ServerProcess, { onLog, onRecovery }: PostgresOptions): ServerLog {
  const log: ServerLog = { text: '', isRecovering: false };
  let partial = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log.text = (log.text + text).slice(-MAX_LOG_LENGTH);
    const lines = (partial + text).split('\n');
    partial = lines.pop() ?? '';
    for (const line of lines.filter(Boolean)) {
      onLog?.(line);
      if (!line.includes('automatic recovery in progress')) continue;
      log.isRecovering = true;
      onRecovery?.();
    }
  });
  return log;
}

/** Recovery has no time limit: a server stopped during it would begin again at the next start. */
async function untilAnswering(
  child: ServerProcess,
  { port, signal }: PostgresOptions,
  log: ServerLog,
): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS;
  while (!signal?.aborted && (log.isRecovering || Date.now() < deadline)) {
    if (child.exitCode !== null || child.signalCode !== null) break;
    if (/ready to accept (?:read-only )?connections/.test(log.text) && (await accepts(port))) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  if (signal?.aborted) {
    await stopChild(child, { signal: 'SIGINT', limitMs: STOP_LIMIT_MS, lastSignal: 'SIGQUIT' });
    throw new Error('PostgreSQL start aborted');
  }
  child.kill('SIGKILL');
  throw new Error(`PostgreSQL did not start:\n${log.text.trim()}`);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
