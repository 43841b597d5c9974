import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@querywright/sandbox/listen';
import { Redis } from 'ioredis';
import { type Child, startChild } from '../child-process.ts';
import type { Program } from './debian.ts';
import { findRedisProgram } from './redis-program.ts';

export interface RedisServer {
  url: string;
  readonly pid: number;
  /** Kills it. Nothing is stored on disk, so its contents are lost. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  restart(): Promise<void>;
  /** Freezes it with its sockets open until `resume`. */
  pause(): void;
  resume(): void;
  flush(): Promise<void>;
  stop(): Promise<void>;
}

export const redisHint =
  'No Redis: put redis-server or valkey-server on the PATH, or set REDIS_URL, or run on a machine with apt';

/** A private Redis on a free port, or undefined if none is available. */
export async function startRedis(): Promise<RedisServer | undefined> {
  const program = findRedisProgram();
  if (!program) return undefined;
  const port = await freePort();
  const folder = mkdtempSync(path.join(tmpdir(), 'querywright-redis-'));
  let child = await launch(program, port, folder);
  const client = new Redis(port, '127.0.0.1', { lazyConnect: true, maxRetriesPerRequest: 3 });
  client.on('error', () => {});
  return {
    url: `redis://127.0.0.1:${port}`,
    get pid() {
      return child.pid;
    },
    kill: () => child.kill(),
    async restart() {
      child = await launch(program, port, folder);
    },
    pause: () => child.signal('SIGSTOP'),
    resume: () => child.signal('SIGCONT'),
    async flush() {
      await client.flushall();
    },
    async stop() {
      client.disconnect();
      await child.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function launch(program: Program, port: number, folder: string): Promise<Child> {
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
  const child = startChild(program.path, [...settings, '--maxmemory-policy', 'noeviction'], {
    env: program.env,
  });
  await child.untilPrinted('Ready to accept connections');
  return child;
}
