import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { stopChild } from '../stop-child.ts';
import { linePrinter } from './log-lines.ts';

/** Together with the database's own deadline, everything stops within 10 s. */
const STOP_LIMIT_MS = 6_000;
const STEADY_AFTER_MS = 10_000;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;

export interface Child {
  stop(): Promise<void>;
}

export interface SupervisedChild extends Child {
  restart(): void;
}

const preload = path.join(import.meta.dirname, `end-with-launcher${path.extname(import.meta.filename)}`);

interface Program {
  script: string;
  nodeOptions?: readonly string[];
}

/** Starts a program and restarts it, with backoff, after an unexpected exit. */
export function supervise(name: string, program: Program, env: NodeJS.ProcessEnv): SupervisedChild {
  let child: ChildProcess;
  let stopping = false;
  let restarting = false;
  let pauseMs = FIRST_PAUSE_MS;
  let timer: NodeJS.Timeout | undefined;

  function launch(): void {
    const started = Date.now();
    child = spawnChild(name, program, env);
    child.once('exit', (code, signal) => {
      if (stopping || restarting) return;
      if (Date.now() - started > STEADY_AFTER_MS) pauseMs = FIRST_PAUSE_MS;
      console.info(
        `${name} ended (${signal ?? `exit code ${code}`}); starting it again in ${pauseMs / 1000} s`,
      );
      timer = setTimeout(launch, pauseMs);
      pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
    });
  }

  launch();
  return {
    async stop() {
      stopping = true;
      clearTimeout(timer);
      await endChild(child);
    },
    restart() {
      if (stopping || restarting) return;
      restarting = true;
      clearTimeout(timer);
      void endChild(child).then(() => {
        restarting = false;
        if (!stopping) launch();
      });
    },
  };
}

export function runOnce(
  name: string,
  program: Program,
  env: NodeJS.ProcessEnv,
): Child & { succeeded: Promise<boolean> } {
  const child = spawnChild(name, program, env);
  return {
    succeeded: once(child, 'exit').then(([code]) => code === 0),
    stop: () => endChild(child),
  };
}

function endChild(child: ChildProcess): Promise<void> {
  return stopChild(child, { signal: 'SIGTERM', limitMs: STOP_LIMIT_MS, lastSignal: 'SIGKILL' });
}

function spawnChild(
  name: string,
  { script, nodeOptions = [] }: Program,
  env: NodeJS.ProcessEnv,
): ChildProcess {
  const print = linePrinter(name);
  // Detached: Ctrl-C reaches the launcher only, which stops everything in order.
  const child = spawn(
    process.execPath,
    ['--enable-source-maps', ...nodeOptions, '--import', preload, script],
    {
      env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
    },
  );
  child.stdout?.on('data', print);
  child.stderr?.on('data', print);
  return child;
}
