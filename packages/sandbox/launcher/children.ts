import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { linePrinter } from './log-lines.ts';

/** With the database's own deadline after it, everything has ended within 10 s. */
const STOP_WITHIN_MS = 6_000;
const STEADY_AFTER_MS = 10_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

export interface Child {
  stop(): Promise<void>;
}

const preload = path.join(import.meta.dirname, 'end-with-launcher.js');

/** Starts one of our programs as a process of its own. One that ends unasked is started again, with growing pauses. */
export function supervise(name: string, script: string, env: NodeJS.ProcessEnv): Child {
  let child: ChildProcess;
  let stopping = false;
  let pauseMs = FIRST_PAUSE_MS;
  let timer: NodeJS.Timeout | undefined;

  function launch(): void {
    const started = Date.now();
    child = spawnChild(name, script, env);
    child.once('exit', (code, signal) => {
      if (stopping) return;
      if (Date.now() - started > STEADY_AFTER_MS) pauseMs = FIRST_PAUSE_MS;
      console.info(
        `${name} ended (${signal ?? `exit code ${code}`}); starting it again in ${pauseMs / 1000} s`,
      );
      timer = setTimeout(launch, pauseMs);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    });
  }

  launch();
  return {
    async stop() {
      stopping = true;
      clearTimeout(timer);
      await endChild(child);
    },
  };
}

/** Starts a program that does one thing and ends. */
export function runOnce(
  name: string,
  script: string,
  env: NodeJS.ProcessEnv,
): Child & { succeeded: Promise<boolean> } {
  const child = spawnChild(name, script, env);
  return {
    succeeded: once(child, 'exit').then(([code]) => code === 0),
    stop: () => endChild(child),
  };
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const insist = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
  await ended;
  clearTimeout(insist);
}

function spawnChild(name: string, script: string, env: NodeJS.ProcessEnv): ChildProcess {
  const print = linePrinter(name);
  // detached: Ctrl-C reaches the launcher alone, which then stops everything in order.
  const child = spawn(process.execPath, ['--enable-source-maps', '--import', preload, script], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  child.stdout?.on('data', print);
  child.stderr?.on('data', print);
  return child;
}
