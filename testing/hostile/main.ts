import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type Stripe from 'stripe';
import { readers } from '../../providers/stripe/events.ts';
import { type Stage, startStage } from '../fuzz/stage.ts';
import { imageNodeOptions } from '../image-options.ts';
import { redisHint } from '../services/redis.ts';
import { type Attack, attacks, type Scene } from './attacks.ts';
import { type Attacker, type HonestCallers, hireAttacker, hireHonestCallers, type Measured } from './hire.ts';
import { describe, line, problemsOf, type Row } from './report.ts';
import { watchOrders } from './watch-orders.ts';

// Attacks the built web process with the image's heap, while honest callers continue: its memory does not grow, and they
// notice neither failures nor delays. `--short` is for npm run test:all: fewer shots, and times are printed, not judged.

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
const heap = imageNodeOptions();
const QUIET_MS = short ? 1_000 : 3_000;
const WARM_UPS = 4;
const WARM_UP_SHOTS = 50;
const WATCHERS = short ? 500 : 5_000;

interface Crowd {
  attacker: Attacker;
  honest: HonestCallers;
}

for (const backend of values.backend ? [values.backend] : ['postgres', 'redis']) {
  const env = { RATE_LIMITS: 'on', LOG_LEVEL: 'info' };
  const stage = await startStage(backend, { env, nodeOptions: heap });
  if (!stage) {
    console.info(`${backend}: skipped, ${redisHint}`);
    if (process.env.CI) process.exitCode = 1;
    continue;
  }
  try {
    await subscribe(stage);
    await attackAll(stage, backend);
  } finally {
    await stage.close();
  }
}

/** As `ops webhooks check --create` does: Stripe sends no event that nobody reads. */
async function subscribe({ sandbox: { stripeClient } }: Stage): Promise<void> {
  const enabled_events = Object.keys(readers) as Stripe.WebhookEndpointUpdateParams.EnabledEvent[];
  const { data } = await stripeClient.webhookEndpoints.list();
  for (const { id } of data) await stripeClient.webhookEndpoints.update(id, { enabled_events });
}

async function attackAll(stage: Stage, backend: string): Promise<void> {
  const scene: Scene = { paypalCertificates: `${stage.config.paypal.apiUrl}/v1/notifications/certs/` };
  const crowd = { attacker: hireAttacker(stage.url, scene), honest: hireHonestCallers(stage.url) };
  try {
    const rows = short ? await shortRun(stage, crowd, scene) : await fullRun(stage, crowd, scene);
    const watched = 'watchers'.includes(only)
      ? await watchOrders(stage, crowd, WATCHERS, () => quietly(crowd))
      : undefined;
    console.info(`\nHostile traffic on ${backend}, ${heap}\n\n${describe(rows, watched)}\n`);
    const problems = [...problemsOf(rows, watched, { times: !short }), ...stage.badLines];
    if (stage.processes.web.exited)
      problems.push(`web exited: ${stage.processes.web.output().slice(-2_000)}`);
    for (const problem of problems) console.error(`BROKEN ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
  } finally {
    crowd.attacker.dismiss();
    crowd.honest.dismiss();
  }
}

/** Each attack by itself, from one address and from a thousand. */
async function fullRun(stage: Stage, crowd: Crowd, scene: Scene): Promise<Row[]> {
  // The first requests compile the code, and the first shots that of refusals, e-mails and the attacker.
  for (const name of ['spam, contact', 'sign-ins, one /48', 'webhooks, wrong signature'])
    await crowd.attacker.attack({ name, shots: WARM_UP_SHOTS, addresses: WARM_UP_SHOTS });
  for (let warmed = 0; warmed < WARM_UPS; warmed++) await quietly(crowd);
  const rows: Row[] = [];
  for (const attack of attacks(scene).filter(({ name }) => name.includes(only))) {
    for (const addresses of attack.isFromOneNetwork ? [shots] : [1, 1_000]) {
      const quiet = await quietly(crowd);
      const before = await stage.measureMemory('web');
      const { answers, attacked } = await oneAttack(crowd, attack, addresses);
      const after = await stage.measureMemory('web');
      const row = { attack, addresses, shots, answers, quiet, attacked, before, after };
      rows.push(row);
      console.info(line(row));
    }
  }
  return rows;
}

/** A few shots of every attack, judged together. */
async function shortRun(stage: Stage, crowd: Crowd, scene: Scene): Promise<Row[]> {
  const quiet = await quietly(crowd);
  const before = await stage.measureMemory('web');
  const rows: Row[] = [];
  for (const attack of attacks(scene)) {
    const { answers, attacked } = await oneAttack(crowd, attack, 1_000);
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

async function oneAttack({ attacker, honest }: Crowd, { name }: Attack, addresses: number) {
  const { result, seen } = await honest.during(attacker.attack({ name, shots, addresses }));
  return { answers: result, attacked: seen };
}

async function quietly({ honest }: Crowd): Promise<Measured> {
  return (await honest.during(sleep(QUIET_MS))).seen;
}
