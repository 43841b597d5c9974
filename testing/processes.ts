import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { waitFor } from './wait-for.ts';

const dist = path.resolve(import.meta.dirname, '../dist');

/** A process of the product as it is deployed: the built JavaScript in plain Node.js. */
export interface Process {
  readonly pid: number;
  readonly exited: boolean;
  /** Everything it printed. */
  output(): string;
  /** `kill -9`. Returns when it is gone. */
  kill(): Promise<void>;
  /** SIGTERM. Returns its exit code. */
  stop(): Promise<number | null>;
  untilExit(): Promise<void>;
}

export type ProcessName = 'web' | 'worker';
const scripts = { web: 'api/main.js', worker: 'worker/main.js' };

/**
 * Starts a process and returns when it says that it is ready. `onOutput` hears everything it prints, of which only the
 * end is kept. Needs a build (`npm run build`).
 */
export async function startProcess(
  name: ProcessName,
  env: Record<string, string>,
  onOutput: (text: string) => void = () => {},
): Promise<Process> {
  const script = path.join(dist, scripts[name]);
  if (!existsSync(script)) throw new Error('Build first: npm run build');
  const child = spawn(process.execPath, [script], {
    env: { PATH: process.env.PATH, NODE_ENV: 'test', RATE_LIMITS: 'off', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-200_000);
      onOutput(text);
    });
  }
  const running: Process = {
    pid: child.pid ?? 0,
    get exited() {
      return hasExited(child);
    },
    output: () => output,
    async kill() {
      child.kill('SIGKILL');
      await gone(child);
    },
    async stop() {
      child.kill('SIGTERM');
      await gone(child);
      return child.exitCode;
    },
    untilExit: () => gone(child),
  };
  await waitFor(`${name} is ready`, () => {
    if (hasExited(child)) throw new Error(output);
    return output.includes(`${name} ready`);
  });
  return running;
}

function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function gone(child: ChildProcess): Promise<void> {
  if (!hasExited(child)) await once(child, 'exit');
}
