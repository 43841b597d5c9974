import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Child, startChild } from './child-process.ts';

const root = path.resolve(import.meta.dirname, '..');

export type Process = Child;
export type ProcessName = 'web' | 'worker';
const scripts = { web: 'dist/api/main.js', worker: 'dist/worker/main.js' };

/** Starts the built web or worker process and returns when it is ready. Needs a build (`npm run build`). */
export function startProcess(
  name: ProcessName,
  env: Record<string, string>,
  onOutput?: (text: string) => void,
): Promise<Process> {
  return startScript(scripts[name], env, { ready: `${name} ready`, onOutput });
}

interface ScriptOptions {
  ready?: string;
  /** How often its output is looked at until then. */
  everyMs?: number;
  onOutput?: ((text: string) => void) | undefined;
  logsToFile?: boolean;
}

/** Starts a script, TypeScript through tsx, and returns when it prints that it is ready. */
export async function startScript(
  script: string,
  env: Record<string, string>,
  { ready = 'ready', everyMs, ...options }: ScriptOptions = {},
): Promise<Child> {
  const file = path.join(root, script);
  if (!existsSync(file)) throw new Error(`${script} is missing: npm run build`);
  const loader = script.endsWith('.ts') ? ['--import', 'tsx'] : [];
  const child = startChild(process.execPath, [...loader, file], {
    cwd: root,
    env: { PATH: process.env.PATH, NODE_ENV: 'test', RATE_LIMITS: 'off', ...env },
    ...options,
  });
  await child.untilPrinted(ready, { timeoutMs: 120_000, everyMs });
  return child;
}
