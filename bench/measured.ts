import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Child } from '../testing/child-process.ts';
import { imageNodeOptions } from '../testing/image-options.ts';
import { startScript } from '../testing/processes.ts';

const NODE_OPTIONS = imageNodeOptions();
/** The unit of `/proc/<pid>/stat`, the same on every Linux that Node.js supports. */
const TICK_MS = 10;

interface Measured extends Child {
  /** From its start until it reported that it is ready. */
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
  const [user = 0, system = 0] = statOf(pid).slice(11, 13).map(Number);
  return (user + system) * TICK_MS;
}

/** User and system time of a server with its processes, ended ones included, ms. */
export function treeCpuMs(pid: number): number {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    // A process may end between the two calls.
    if (/^\d+$/.test(name) && existsSync(`/proc/${name}/stat`)) {
      parents.set(Number(name), Number(statOf(Number(name))[1]));
    }
  }
  const below = (of: number): number[] =>
    [...parents].filter(([, parent]) => parent === of).flatMap(([child]) => [child, ...below(child)]);
  const ended = statOf(pid).slice(13, 15).map(Number);
  const ticks = ended.reduce((sum, one) => sum + one, 0);
  return ticks * TICK_MS + [pid, ...below(pid)].reduce((sum, one) => sum + cpuOf(one), 0);
}

/** The fields of `/proc/<pid>/stat` after the process name, which may contain blanks. */
function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
