import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { execute, root } from './run.mjs';

/** A stage that hangs fails, and the others are still reported. The longest takes 10 minutes, on a slow machine 25. */
const LIMIT_MS = 30 * 60_000;

/**
 * Runs stages side by side, `atOnce` at most, the first ones first. A stage's output is printed whole when it ends.
 * A stage is `{ name, check, env }`; `check` takes its tools and returns true, false or 'skipped'.
 * @returns {Promise<{ name: string, result: 'passed' | 'skipped' | 'FAILED', seconds: number }[]>}
 */
export async function runStages(stages, atOnce) {
  const waiting = [...stages];
  const running = new Set();
  const ended = [];
  const lane = async () => {
    for (let stage = waiting.shift(); stage; stage = waiting.shift()) {
      running.add(stage.name);
      ended.push(await runStage(stage));
      running.delete(stage.name);
      const names = [...running, ...waiting.map(({ name }) => name)];
      if (names.length > 0) console.info(`   still to come: ${names.join(', ')}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return ended;
}

async function runStage({ name, check, env }) {
  const started = Date.now();
  let output = '';
  const print = (text) => {
    output += text;
  };
  const program = (command, ...args) =>
    execute(...asBatch(command, args), {
      onOutput: print,
      env: { ...environment(), ...env },
      limitMs: LIMIT_MS,
    });
  const outcome = await check({ program, print: (line) => print(`${line}\n`) }).catch((error) => {
    print(`${error.stack}\n`);
    return false;
  });
  const result = outcome === 'skipped' ? 'skipped' : outcome ? 'passed' : 'FAILED';
  const seconds = (Date.now() - started) / 1000;
  console.info(`\n── ${name}\n${output.trimEnd()}\n── ${name}: ${result} in ${seconds.toFixed(1)} s`);
  return { name, result, seconds };
}

/**
 * Linux's policy for work that nobody watches: a process that wakes up does not interrupt another, so that each runs on
 * with warm caches.
 * @see https://man7.org/linux/man-pages/man7/sched.7.html
 */
function asBatch(command, args) {
  return knowsBatches ? ['chrt', ['--batch', '0', command, ...args]] : [command, args];
}

const knowsBatches = process.platform === 'linux' && spawnSync('chrt', ['--batch', '0', 'true']).status === 0;

function environment() {
  return {
    // Saves npx, which takes as long to start as some of the programs.
    PATH: [path.join(root, 'node_modules/.bin'), process.env.PATH].join(path.delimiter),
    // Programs that write to a pipe drop their colors by default.
    ...(process.stdout.isTTY && !process.env.NO_COLOR ? { FORCE_COLOR: '1' } : {}),
  };
}

export function printTimes(stages) {
  const width = Math.max(...stages.map(({ name }) => name.length));
  console.info('\nStage times (stages run side by side):');
  for (const { name, result, seconds } of stages) {
    console.info(`  ${name.padEnd(width)}  ${seconds.toFixed(1).padStart(6)} s  ${result}`);
  }
}
