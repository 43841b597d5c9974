import { readFileSync } from 'node:fs';
import type { Child } from '../testing/child-process.ts';
import { startScript } from '../testing/processes.ts';

/** As in the container image and docs/operations.md: a small young generation keeps the processes small. */
const NODE_OPTIONS = '--max-semi-space-size=4 --max-old-space-size=128';
/** Of `/proc/<pid>/stat`; the same on every Linux that Node.js runs on. */
const TICK_MS = 10;

export interface Measured extends Child {
  /** From its start until it said that it is ready. */
  readyAfterMs: number;
  /** User and system time since the last call. */
  cpuMs(): number;
}

/** Starts a script of dist/ or bench/ with the memory limits of production. */
export async function startMeasured(script: string, env: Record<string, string>): Promise<Measured> {
  const started = performance.now();
  let readyAfterMs = Number.NaN;
  const onOutput = (text: string) => {
    if (Number.isNaN(readyAfterMs) && text.includes('ready')) readyAfterMs = performance.now() - started;
  };
  const child = await startScript(script, { NODE_OPTIONS, ...env }, { onOutput });
  let counted = cpuOf(child.pid);
  return Object.assign(child, {
    readyAfterMs,
    cpuMs() {
      const before = counted;
      counted = cpuOf(child.pid);
      return counted - before;
    },
  });
}

function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return (user + system) * TICK_MS;
}
