import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@querywright/sandbox/listen';
import { startPostgres } from '@querywright/sandbox/postgres';
import { createDatabase, type Database } from '../db/database.ts';
import { createTestDatabase, prepareTemplate } from '../testing/databases.ts';
import { redisHint, startRedis } from '../testing/services/redis.ts';
import { waitFor } from '../testing/wait-for.ts';
import { startMeasured } from './measured.ts';

// How long one worker takes for due rows that no queue knows of, as after the queue was emptied.
const ROWS = Number(process.argv[2] ?? 100_000);
const WAIT = { timeoutMs: 400_000, everyMs: 100 };

const folder = mkdtempSync(path.join(tmpdir(), 'querywright-bench-'));
const postgres = await startPostgres({ folder: path.join(folder, 'data'), port: await freePort() });
await prepareTemplate(postgres.url);
const redis = await startRedis();
if (!redis) console.info(`Skipping Redis. ${redisHint}`);
try {
  for (const redisUrl of [undefined, ...(redis ? [redis.url] : [])]) await measure(redisUrl);
} finally {
  await redis?.stop();
  await postgres.stop('SIGQUIT');
  rmSync(folder, { recursive: true, force: true });
}

async function measure(redisUrl: string | undefined): Promise<void> {
  const databaseUrl = await createTestDatabase(postgres.url('postgres'));
  const db = createDatabase(databaseUrl, { poolMax: 2 });
  await insertDueRows(db);
  const env = {
    DATABASE_URL: databaseUrl,
    QUEUE_PREFIX: 'bench',
    ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
  };
  const worker = await startMeasured('dist/worker/main.js', env);
  const started = performance.now();
  const seconds = () => ((performance.now() - started) / 1000).toFixed(1);
  await waitFor('every row is enqueued', async () => (await count(db, 'pushes = 0')) === 0, WAIT);
  const enqueued = seconds();
  await waitFor('every row is done', async () => (await count(db, `status = 'open'`)) === 0, WAIT);
  const deliveries = await db('outbox').max('pushes as most').first();
  console.info(
    `${redisUrl ? 'Redis' : 'PostgreSQL'}: ${ROWS} rows enqueued after ${enqueued} s, done after ${seconds()} s, ` +
      `enqueued ${deliveries?.most} times at most, worker ${Math.round(worker.residentMiB())} MiB`,
  );
  await worker.stop();
  await db.destroy();
}

/** Checks of orders that do not exist: a job without effect. */
async function insertDueRows(db: Database): Promise<void> {
  await db.raw(
    `insert into outbox (job, queue, payload, pushes, due_at)
     select 'reconcile-order', 'payments', jsonb_build_object('orderId', gen_random_uuid()), 0, now()
     from generate_series(1, ?)`,
    [ROWS],
  );
}

async function count(db: Database, condition: string): Promise<number> {
  const row = await db('outbox').whereRaw(condition).count('id as rows').first();
  return Number(row?.rows);
}
