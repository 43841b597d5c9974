import type { PostgresServer } from '@querywright/sandbox/postgres';
import { createDatabase, type Database } from '../db/database.ts';
import { createTestDatabase } from '../testing/databases.ts';
import { waitFor } from '../testing/wait-for.ts';
import { startMeasured } from './measured.ts';
import { withServers } from './stage.ts';

// Measures how long one worker takes for due rows that are in no queue, as after the queue was emptied.
const ROWS = Number(process.argv[2] ?? 100_000);
const WAIT = { timeoutMs: 400_000, everyMs: 100 };

await withServers(async ({ postgres, redis }) => {
  for (const redisUrl of [undefined, ...(redis ? [redis.url] : [])]) await measure(postgres, redisUrl);
});

async function measure(postgres: PostgresServer, redisUrl: string | undefined): Promise<void> {
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
