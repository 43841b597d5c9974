import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';

export interface Child {
  /** Resident memory now, MiB. */
  memory(): number;
  stop(): Promise<void>;
}

/** As the container image and docs/operations.md set it: a small young generation keeps the processes small. */
const NODE_OPTIONS = '--max-semi-space-size=4 --max-old-space-size=128';

/** Starts `script` (of dist/, or of bench/ through tsx) and returns when it prints `ready`. */
export async function startChild(script: string, env: Record<string, string>): Promise<Child> {
  const root = path.resolve(import.meta.dirname, '..');
  const loader = script.endsWith('.ts') ? ['--import', 'tsx'] : [];
  const child = spawn(process.execPath, [...loader, path.join(root, script)], {
    cwd: root,
    env: { PATH: process.env.PATH, NODE_ENV: 'test', NODE_OPTIONS, RATE_LIMITS: 'off', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('ready')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)));
  });
  return {
    memory() {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    },
    async stop() {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
