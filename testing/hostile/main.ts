import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Stage, startStage } from '../fuzz/stage.ts';
import { redisHint } from '../services/redis.ts';
import { type Attack, attacks, type Scene } from './attacks.ts';
import { type Attacker, hireAttacker } from './hire.ts';
import { measureHonest } from './honest.ts';
import { describe, problemsOf, type Row } from './report.ts';
import { watchOrders } from './watch-orders.ts';

// Attacks the built web process with the image's heap, while honest callers continue: its memory does not grow, and they
// notice neither failures nor delays. `--short` is for npm test: fewer shots, and times are printed, not judged.

const { values } = parseArgs({
  options: {
    backend: { type: 'string' },
    short: { type: 'boolean', default: false },
    /** Shots of each attack in a full run. */
    shots: { type: 'string', default: '10000' },
    /** Part of an attack's name. */
    only: { type: 'string', default: '' },
  },
});
const { short, only } = values;
const shots = short ? 64 : Number(values.shots);
const [, heap = ''] = /^ENV NODE_OPTIONS="(.*)"$/m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];
const QUIET_MS = short ? 1_000 : 3_000;
const WATCHERS = short ? 500 : 5_000;

for (const backend of values.backend ? [values.backend] : ['postgres', 'redis']) {
  const env = { RATE_LIMITS: 'on', LOG_LEVEL: 'info' };
  const stage = await startStage(backend, { env, nodeOptions: heap });
  if (!stage) {
    console.info(`${backend}: skipped, ${redisHint}`);
    if (process.env.CI) process.exitCode = 1;
    continue;
  }
  try {
    await attackAll(stage, backend);
  } finally {
    await stage.close();
  }
}

async function attackAll(stage: Stage, backend: string): Promise<void> {
  const scene: Scene = { paypalCertificates: `${stage.config.paypal.apiUrl}/v1/notifications/certs/` };
  const attacker = hireAttacker(stage.url, scene);
  try {
    const rows = short ? await shortRun(stage, attacker, scene) : await fullRun(stage, attacker, scene);
    const watched = 'watchers'.includes(only)
      ? await watchOrders(stage, attacker, WATCHERS, () => honestFor(stage))
      : undefined;
    console.info(`\nHostile traffic on ${backend}, ${heap}\n\n${describe(rows, watched)}\n`);
    const problems = [...problemsOf(rows, watched, { times: !short }), ...stage.badLines];
    if (stage.processes.web.exited)
      problems.push(`web exited: ${stage.processes.web.output().slice(-2_000)}`);
    for (const problem of problems) console.error(`BROKEN ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
  } finally {
    attacker.dismiss();
  }
}

/** Each attack by itself, from one address and from a thousand. */
async function fullRun(stage: Stage, attacker: Attacker, scene: Scene): Promise<Row[]> {
  // The first requests compile the code.
  await honestFor(stage);
  const rows: Row[] = [];
  for (const attack of attacks(scene).filter(({ name }) => name.includes(only))) {
    for (const addresses of attack.isFromOneNetwork ? [shots] : [1, 1_000]) {
      const quiet = await honestFor(stage);
      const before = await stage.measureMemory('web');
      const { answers, attacked } = await oneAttack(stage, attacker, attack, addresses);
      const after = await stage.measureMemory('web');
      rows.push({ attack, addresses, shots, answers, quiet, attacked, before, after });
      console.info(`${attack.name} from ${addresses}: done`);
    }
  }
  return rows;
}

/** A few shots of every attack, judged together. */
async function shortRun(stage: Stage, attacker: Attacker, scene: Scene): Promise<Row[]> {
  const quiet = await honestFor(stage);
  const before = await stage.measureMemory('web');
  const rows: Row[] = [];
  for (const attack of attacks(scene)) {
    const { answers, attacked } = await oneAttack(stage, attacker, attack, 1_000);
    rows.push({
      attack,
      addresses: 1_000,
      shots,
      answers,
      quiet,
      attacked,
      before,
      after: before,
    });
  }
  const after = await stage.measureMemory('web');
  return rows.map((row) => ({ ...row, after }));
}

async function oneAttack(stage: Stage, attacker: Attacker, { name }: Attack, addresses: number) {
  let isOver = false;
  const attacking = attacker.attack({ name, shots, addresses }).finally(() => {
    isOver = true;
  });
  const [answers, attacked] = await Promise.all([attacking, measureHonest(stage.url, () => isOver)]);
  return { answers, attacked };
}

async function honestFor(stage: Stage) {
  let isOver = false;
  const measuring = measureHonest(stage.url, () => isOver);
  await sleep(QUIET_MS);
  isOver = true;
  return measuring;
}
