import { readdirSync, readFileSync } from 'node:fs';
import type { Child } from '../testing/child-process.ts';
import { imageNodeOptions } from '../testing/image-options.ts';
import { startScript } from '../testing/processes.ts';

const NODE_OPTIONS = imageNodeOptions();
/** The unit of `/proc/<pid>/stat`, the same on every Linux that Node.js supports. */
const TICK_MS = 10;

export interface Measured extends Child {
  /** From its start until it reported that it is ready. */
  readyAfterMs: number;
  /** User and system time since the last call. */
  cpuMs(): number;
}

/** Starts a script of dist/ or bench/ with the memory limits of production. The load generator does not read its log. */
export async function startMeasured(script: string, env: Record<string, string>): Promise<Measured> {
  const started = performance.now();
  const child = await startScript(script, { NODE_OPTIONS, ...env }, { logsToFile: true, everyMs: 5 });
  const readyAfterMs = performance.now() - started;
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
  return cpuIn(statOf(pid));
}

function cpuIn(stat: string[]): number {
  const [user = 0, system = 0] = stat.slice(11, 13).map(Number);
  return (user + system) * TICK_MS;
}

/** User and system time of a server with its processes, ended ones included, ms. */
export function treeCpuMs(pid: number): number {
  const stats = new Map<number, string[]>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      stats.set(Number(name), statOf(Number(name)));
    } catch {
      // It has ended since the folder was read.
    }
  }
  const treeOf = (of: number): number[] =>
    [...stats].filter(([, stat]) => Number(stat[1]) === of).flatMap(([child]) => [child, ...treeOf(child)]);
  const own = stats.get(pid) ?? [];
  const ended = own.slice(13, 15).reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0);
  const running = [own, ...treeOf(pid).map((child) => stats.get(child) ?? [])];
  return running.reduce((sum, stat) => sum + cpuIn(stat), ended);
}

/** The fields of `/proc/<pid>/stat` after the process name, which may contain blanks. */
function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
