import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import createKnex from 'knex';
import { startProcess } from '../processes.ts';
import { startTestPostgres } from '../services/postgres.ts';
import { startShop } from '../shop.ts';
import { beginnings, runSequence, sequences } from './sequence.ts';
import { keepAlive, type World } from './world.ts';

// Random sequences of what buyers, banks, staff and providers do to an order, against the real database and the sandbox.
// After each one, money at the provider, order, history, mails and timeline have to agree.

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10000' },
    steps: { type: 'string', default: '14' },
    lanes: { type: 'string', default: '24' },
    seed: { type: 'string' },
    path: { type: 'string' },
    'no-shrink': { type: 'boolean', default: false },
  },
});
/** How many sequences one shop runs. */
const BATCH = 1_000;
const runs = Number(values.runs);
const lanes = values.path ? 1 : Math.min(runs, Number(values.lanes));
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const sequence = fc.tuple(beginnings, sequences(Number(values.steps)));

console.info(`${runs} sequences in ${lanes} lanes, seed ${seed}`);
const folder = mkdtempSync(path.join(tmpdir(), 'querywright-model-'));
const postgres = await startTestPostgres({ folder: path.join(folder, 'data') });
const started = Date.now();
let done = 0;
let failed = 0;
const ends = new Map<string, number>();
try {
  for (let first = 0; first < runs; first += BATCH) await runBatch(first, Math.min(BATCH, runs - first));
  const seconds = ((Date.now() - started) / 1000).toFixed(0);
  console.info(`${done} sequences run in ${seconds} s, ${failed} lanes failed`);
  console.info([...ends].map(([end, count]) => `${count} ${end}`).join(', '));
  if (failed > 0) process.exitCode = 1;
} finally {
  await postgres.stop('SIGQUIT');
  rmSync(folder, { recursive: true, force: true });
}

/** Runs sequences on a new shop: the sandbox keeps everything, so that searching it becomes slower. */
async function runBatch(first: number, count: number): Promise<void> {
  const shop = await startShop({ servers: { postgresUrl: postgres.url('postgres') } });
  shop.startWorker();
  // The judge has its own connections, and waits longer than the shop.
  const db = createKnex({ client: 'pg', connection: shop.config.databaseUrl, pool: { min: 0, max: 10 } });
  const doomed = await keepAlive(() =>
    startProcess('worker', {
      DATABASE_URL: shop.config.databaseUrl,
      QUEUE_PREFIX: shop.config.queuePrefix,
      SANDBOX_PORT: String(shop.sandbox.port),
      SANDBOX_SMTP_PORT: String(shop.sandbox.smtpPort),
    }),
  );
  try {
    const stage = { shop: { ...shop, db }, doomed };
    const shares = Array.from({ length: Math.min(lanes, count) }, (_, lane) =>
      Math.ceil((count - lane) / lanes),
    );
    const results = await Promise.all(
      shares.map((share, lane) => runLane(seed + first + lane, share, stage)),
    );
    failed += results.filter((isRight) => !isRight).length;
  } finally {
    await doomed.stop();
    await db.destroy();
    await shop.close();
  }
}

/** Runs one lane's share of the sequences, one after the other. Returns whether all of them ended right. */
async function runLane(
  seed: number,
  numRuns: number,
  stage: Pick<World, 'shop' | 'doomed'>,
): Promise<boolean> {
  const property = fc.asyncProperty(sequence, async ([beginning, steps]) => {
    const end = await runSequence(stage, beginning, steps);
    ends.set(end, (ends.get(end) ?? 0) + 1);
    done++;
    if (done % 250 === 0) console.info(`${done} sequences, ${((Date.now() - started) / 1000).toFixed(0)} s`);
  });
  const result = await fc.check(property, {
    seed,
    numRuns,
    endOnFailure: values['no-shrink'],
    ...(values.path ? { path: values.path } : {}),
  });
  if (result.failed) console.error(`${fc.defaultReportMessage(result)}\n${result.errorInstance}`);
  return !result.failed;
}
