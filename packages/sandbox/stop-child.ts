import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Ends a child process with a signal, and with another one if it has not exited within the limit. */
export async function stopChild(
  child: ChildProcess,
  { signal, limitMs, lastSignal }: { signal: NodeJS.Signals; limitMs: number; lastSignal: NodeJS.Signals },
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  const timer = setTimeout(() => child.kill(lastSignal), limitMs);
  await exited;
  clearTimeout(timer);
}
