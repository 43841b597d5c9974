import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program in the project's folder. Returns whether it succeeded. It gets its own process group, and a signal
 * that ends this process ends the whole group: npm and sh would leave their children behind.
 * Output is shown, or passed to `onOutput`. A program that takes longer than `limitMs` is ended, and has failed.
 */
export async function execute(command, args, { onOutput, env, limitMs } = {}) {
  const output = onOutput ? 'pipe' : 'inherit';
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', output, output],
    detached: true,
    env: { ...process.env, ...env },
  });
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', onOutput);
  let ended;
  let timer;
  const end = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // It has just exited.
    }
  };
  const pass = (signal) => {
    ended = signal;
    end(signal);
  };
  for (const signal of signals) process.on(signal, pass);
  const succeeded = await new Promise((resolve) => {
    // 'close' waits for grandchildren that hold the pipes; 'exit' would lose the last lines.
    child.once(onOutput ? 'close' : 'exit', (code) => resolve(code === 0));
    child.once('error', (error) => {
      (onOutput ?? console.error)(error.message);
      resolve(false);
    });
    if (!limitMs) return;
    timer = setTimeout(() => {
      (onOutput ?? console.error)(
        `\nended after ${limitMs / 60_000} minutes: ${command} ${args.join(' ')}\n`,
      );
      end('SIGKILL');
      // What it has started elsewhere may hold the pipes.
      resolve(false);
    }, limitMs);
  });
  clearTimeout(timer);
  for (const signal of signals) process.off(signal, pass);
  if (ended) process.kill(process.pid, ended);
  return succeeded;
}

export async function run(command, args) {
  if (await execute(command, args)) return;
  fail(`${command} ${args.join(' ')} failed`);
}

export function fail(message) {
  console.error(message);
  process.exit(1);
}
