import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program in the project's folder with its output shown. Returns whether it ended well. It gets a group of its
 * own, and a signal that ends us ends the whole group: npm and sh would leave their children behind.
 */
export async function execute(command, args) {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], detached: true });
  let ended;
  const pass = (signal) => {
    ended = signal;
    try {
      process.kill(-child.pid, signal);
    } catch {
      // It had just ended by itself.
    }
  };
  for (const signal of signals) process.on(signal, pass);
  const succeeded = await new Promise((resolve) => {
    child.once('exit', (code) => resolve(code === 0));
    child.once('error', (error) => {
      console.error(error.message);
      resolve(false);
    });
  });
  for (const signal of signals) process.off(signal, pass);
  if (ended) process.kill(process.pid, ended);
  return succeeded;
}

/** As `execute`, but ends this process if the program fails. */
export async function run(command, args) {
  if (await execute(command, args)) return;
  fail(`${command} ${args.join(' ')} failed`);
}

export function fail(message) {
  console.error(message);
  process.exit(1);
}
