import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from './free-port.ts';
import { waitFor } from './wait-for.ts';

export interface RedisServer {
  url: string;
  /** Ends it as by an accident. Nothing is stored on disk, so what it held is gone. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  restart(): Promise<void>;
  /** Stops it in its tracks, with its sockets open, until `resume`. */
  pause(): void;
  resume(): void;
  flush(): Promise<void>;
  stop(): Promise<void>;
}

export const redisHint =
  'No Redis: put redis-server or valkey-server on the PATH, or set REDIS_URL, or run on a machine with apt';

interface Program {
  path: string;
  env: NodeJS.ProcessEnv;
}

/** A Redis of our own on a free port, or undefined where none can be had. */
export async function startRedis(): Promise<RedisServer | undefined> {
  const program =
    findOnPath('redis-server') ?? findOnPath('valkey-server') ?? unpacked() ?? unpackDebianPackages();
  if (!program) return undefined;
  const port = await freePort();
  const folder = mkdtempSync(path.join(tmpdir(), 'querywright-redis-'));
  let child = await launch(program, port, folder);
  const client = new Redis(port, '127.0.0.1', { lazyConnect: true, maxRetriesPerRequest: 3 });
  client.on('error', () => {});
  const kill = async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    async restart() {
      child = await launch(program, port, folder);
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async flush() {
      await client.flushall();
    },
    async stop() {
      client.disconnect();
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function launch(program: Program, port: number, folder: string): Promise<ChildProcess> {
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
  const child = spawn(program.path, [...settings, '--maxmemory-policy', 'noeviction'], {
    env: program.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stdout.on('data', (text) => {
    log += text;
  });
  await waitFor('Redis accepts connections', () => {
    if (child.exitCode !== null) throw new Error(`redis-server ended: ${log}`);
    return /Ready to accept connections/.test(log);
  });
  return child;
}

function findOnPath(name: string): Program | undefined {
  const folder = (process.env.PATH ?? '')
    .split(path.delimiter)
    .find((entry) => existsSync(path.join(entry, name)));
  return folder ? { path: path.join(folder, name), env: process.env } : undefined;
}

const TOOLS = path.resolve(import.meta.dirname, '../.data/tools');

function unpacked(): Program | undefined {
  // A link to redis-check-rdb in Debian's package, which is the same program.
  const program = path.join(TOOLS, 'usr/bin/redis-check-rdb');
  if (!existsSync(program)) return undefined;
  const libraries = path.join(TOOLS, 'usr/lib');
  const architecture = readdirSync(libraries).find((entry) => entry.endsWith('-linux-gnu')) ?? '';
  const server = path.join(TOOLS, 'usr/bin/redis-server');
  return { path: server, env: { ...process.env, LD_LIBRARY_PATH: path.join(libraries, architecture) } };
}

/** Fetches Debian's own packages and unpacks them under .data/tools: nothing is installed on the machine. */
function unpackDebianPackages(): Program | undefined {
  if (!findOnPath('apt-get') || !findOnPath('dpkg')) return undefined;
  mkdirSync(TOOLS, { recursive: true });
  const packages = [
    'redis-server',
    'redis-tools',
    'libjemalloc2',
    'liblzf1',
    'liblua5.1-0',
    'lua-cjson',
    'lua-bitop',
  ];
  try {
    if (process.getuid?.() === 0)
      execFileSync('apt-get', ['update', '-qq'], { stdio: 'ignore', timeout: 120_000 });
    for (const name of packages) {
      execFileSync('apt-get', ['download', '-qq', name], { cwd: TOOLS, stdio: 'ignore', timeout: 60_000 });
    }
    for (const file of readdirSync(TOOLS).filter((entry) => entry.endsWith('.deb'))) {
      execFileSync('dpkg', ['-x', file, TOOLS], { cwd: TOOLS });
    }
  } catch {
    return unpacked();
  }
  return unpacked();
}
