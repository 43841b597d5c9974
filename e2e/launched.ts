import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@querywright/sandbox/listen';
import { startChild } from '../testing/child-process.ts';
import { waitFor } from '../testing/wait-for.ts';

/** A data folder and free ports for `npm start` or `npm run dev`. */
export interface Machine {
  env: Record<string, string>;
  site: string;
  sandbox: string;
  start(overrides?: Record<string, string>): Started;
  develop(): Started;
  /** Runs `npm run ops` with only the data folder set. */
  operate(...command: string[]): Started;
  /** Every process that uses this data folder. */
  processes(): { pid: number; command: string }[];
  cleanUp(): Promise<void>;
}

export interface Started {
  output(): string;
  untilReady(): Promise<void>;
  /** Sends a signal to npm alone, as a process manager would. */
  signal(name: NodeJS.Signals): void;
  exitCode(): Promise<number | null>;
}

export async function freshEnvironment(): Promise<Machine> {
  const folder = mkdtempSync(path.join(tmpdir(), 'querywright-start-'));
  const env = {
    DATA_DIR: path.join(folder, 'data'),
    PORT: String(await freePort()),
    SANDBOX_PORT: String(await freePort()),
    SANDBOX_SMTP_PORT: String(await freePort()),
  };
  const processes = () => processesNaming(folder);
  return {
    env,
    site: `http://localhost:${env.PORT}`,
    sandbox: `http://localhost:${env.SANDBOX_PORT}`,
    start: (overrides = {}) => npm(['start'], { ...env, ...overrides }),
    develop: () => npm(['run', 'dev'], env),
    operate: (...command) => npm(['run', '--silent', 'ops', '--', ...command], { DATA_DIR: env.DATA_DIR }),
    processes,
    async cleanUp() {
      for (const { pid } of processes()) killNow(pid);
      await waitFor('no process is left', () => processes().length === 0);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It had already exited.
  }
}

function npm(args: string[], env: Record<string, string>): Started {
  const inherited = { PATH: process.env.PATH, HOME: process.env.HOME };
  const child = startChild('npm', args, {
    cwd: path.resolve(import.meta.dirname, '..'),
    env: { ...inherited, ...env },
    detached: true,
  });
  return {
    output: child.output,
    untilReady: () => child.untilPrinted('Ctrl-C stops everything', { timeoutMs: 180_000 }),
    signal: child.signal,
    exitCode: child.untilExit,
  };
}

interface ListedProcess {
  pid: number;
  command: string;
  env: string;
}

function processesNaming(folder: string): { pid: number; command: string }[] {
  const listed = existsSync('/proc/self/environ') ? fromProc() : fromPs();
  return listed.filter(({ command, env }) => `${command}${env}`.includes(folder));
}

function fromProc(): ListedProcess[] {
  const read = (pid: string, file: string) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8').replaceAll('\0', ' ').trimEnd();
    } catch {
      return '';
    }
  };
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map((entry) => ({ pid: Number(entry), command: read(entry, 'cmdline'), env: read(entry, 'environ') }));
}

/** On macOS and the BSDs. `e` appends the environment to the command. */
function fromPs(): ListedProcess[] {
  const list = (options: string) => {
    const lines = execFileSync('ps', [options, '-o', 'pid=,command='], { encoding: 'utf8' });
    return [...lines.matchAll(/^ *(\d+) (.*?) *$/gm)].map(([, pid = '', text = '']) => [pid, text] as const);
  };
  const commands = new Map(list('axww'));
  return list('axeww').map(([pid, env]) => ({ pid: Number(pid), command: commands.get(pid) ?? '', env }));
}
