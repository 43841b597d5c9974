import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fstatSync, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { waitFor } from './wait-for.ts';

export interface Child {
  readonly pid: number;
  readonly exited: boolean;
  /** The end of what it printed. */
  output(): string;
  /** Waits until it prints `text`. @throws Error with its output if it exits first */
  untilPrinted(text: string, options?: { timeoutMs?: number; everyMs?: number | undefined }): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** `kill -9`. Returns when it is gone. */
  kill(): Promise<void>;
  /** SIGTERM. Returns its exit code. */
  stop(): Promise<number | null>;
  /** Returns its exit code, null if a signal ended it. */
  untilExit(): Promise<number | null>;
  /** Resident memory now, in MiB (Linux). */
  residentMiB(): number;
}

interface ChildOptions extends Pick<SpawnOptions, 'cwd' | 'env' | 'detached'> {
  /** Not with `logsToFile`. */
  onOutput?: ((text: string) => void) | undefined;
  /** A pipe would take time of this process for every line. */
  logsToFile?: boolean | undefined;
}

const KEPT_OUTPUT = 200_000;

const running = new Set<ChildProcess>();
// A hook that times out leaves children that no test knows of.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export function startChild(
  command: string,
  args: string[],
  { onOutput, logsToFile, ...options }: ChildOptions = {},
): Child {
  const log = logsToFile ? openLog() : undefined;
  const child = spawn(command, args, { ...options, stdio: ['ignore', log ?? 'pipe', log ?? 'pipe'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let read = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      read += text;
      // Truncating copies the whole string, so not after every chunk.
      if (read.length > 2 * KEPT_OUTPUT) read = read.slice(-KEPT_OUTPUT);
      onOutput?.(text);
    });
  }
  const output = () => (log === undefined ? read : endOf(log));
  const untilExit = async () => {
    if (!hasExited(child)) await once(child, 'exit');
    return child.exitCode;
  };
  return {
    pid: child.pid ?? 0,
    get exited() {
      return hasExited(child);
    },
    output,
    async untilPrinted(text, waiting) {
      const outcome = () => {
        if (output().includes(text)) return 'printed';
        return hasExited(child) && 'exited';
      };
      const reached = await waitFor(`it prints ${text}`, outcome, waiting).catch(
        (error: Error) => error.message,
      );
      if (reached !== 'printed') throw new Error(`${command} ${args.join(' ')}: ${reached}\n${output()}`);
    },
    signal: (name) => void child.kill(name),
    kill: async () => {
      child.kill('SIGKILL');
      await untilExit();
    },
    stop() {
      child.kill('SIGTERM');
      return untilExit();
    },
    untilExit,
    residentMiB() {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    },
  };
}

/** A file without a name, which is gone once both processes are. */
function openLog(): number {
  const folder = mkdtempSync(path.join(tmpdir(), 'querywright-log-'));
  const log = openSync(path.join(folder, 'log'), 'a+');
  rmSync(folder, { recursive: true });
  return log;
}

function endOf(log: number): string {
  const { size } = fstatSync(log);
  const end = Buffer.alloc(Math.min(size, KEPT_OUTPUT));
  readSync(log, end, 0, end.length, size - end.length);
  return end.toString();
}

function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
