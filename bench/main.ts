import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@querywright/sandbox/listen';
import { startPostgres } from '@querywright/sandbox/postgres';
import { startSandbox } from '@querywright/sandbox/testing';
import { createDatabase } from '../db/database.ts';
import { createQueueBackend } from '../infra/queue.ts';
import { createTestDatabase, prepareTemplate } from '../testing/databases.ts';
import { redisHint, startRedis } from '../testing/services/redis.ts';
import { waitFor } from '../testing/wait-for.ts';
import { noOpJobsPerSecond, noOpRoundTrip } from './bullmq-limits.ts';
import { sendAll } from './load.ts';
import { startMeasured } from './measured.ts';
import { orderRequests, signedSuccesses, storeOrders } from './orders.ts';
import { paidLatency } from './paid-latency.ts';
import type { Percentiles } from './percentiles.ts';

// Measures the pipeline's throughput and, in the same run, the limits of its parts on this machine. PostgreSQL runs with
// fsync on, as in production.
const REQUESTS = 10_000;
const SETTLEMENTS = 4_000;
const SAMPLES = 200;
const WAIT = { timeoutMs: 240_000, everyMs: 20 };

const folder = mkdtempSync(path.join(tmpdir(), 'querywright-bench-'));
const postgres = await startPostgres({ folder: path.join(folder, 'data'), port: await freePort() });
await prepareTemplate(postgres.url);
const redis = await startRedis();
if (!redis) console.info(`Redis is left out. ${redisHint}`);
try {
  for (const redisUrl of [undefined, ...(redis ? [redis.url] : [])]) await measure(redisUrl);
} finally {
  await redis?.stop();
  await postgres.stop('SIGQUIT');
  rmSync(folder, { recursive: true, force: true });
}

async function measure(redisUrl: string | undefined): Promise<void> {
  const databaseUrl = await createTestDatabase(postgres.url('postgres'));
  const db = createDatabase(databaseUrl, { poolMax: 4 });
  const settings = {
    redisUrl,
    listenDatabaseUrl: databaseUrl,
    queuePrefix: 'bench-limit',
    onError: console.error,
  };
  const limits = createQueueBackend(settings);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const sandbox = await startSandbox({ siteUrl: url });
  const env = {
    DATABASE_URL: databaseUrl,
    QUEUE_PREFIX: 'bench',
    SANDBOX_PORT: String(sandbox.port),
    SANDBOX_SMTP_PORT: String(sandbox.smtpPort),
    ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
  };

  const insertPort = String(await freePort());
  const insert = await startMeasured('bench/insert-server.ts', {
    DATABASE_URL: databaseUrl,
    PORT: insertPort,
  });
  const bodies = signedSuccesses(await storeOrders(db, REQUESTS)).map((request) => ({
    ...request,
    path: '/',
  }));
  const insertLimit = await sendAll(`http://localhost:${insertPort}`, bodies);
  await insert.stop();
  if (redisUrl)
    await waitFor('Redis', () =>
      limits
        .openQueue('payments')
        .close()
        .then(() => true),
    );
  const jobsLimit = await noOpJobsPerSecond(limits, SETTLEMENTS);
  const roundTrip = await noOpRoundTrip(limits, SAMPLES);
  const jobsWithFollowUps = await noOpJobsPerSecond(limits, SETTLEMENTS, 2);
  await limits.close();
  await discardWork();

  let web = await startMeasured('dist/api/main.js', { ...env, PORT: String(port) });
  const webhooks = await sendAll(url, signedSuccesses(await storeOrders(db, REQUESTS)));
  const webhookCpu = web.cpuMs() / REQUESTS;
  const webMemory = web.residentMiB();
  await web.stop();
  await discardWork();

  const stripePort = String(await freePort());
  const instant = await startMeasured('bench/instant-stripe.ts', { PORT: stripePort });
  web = await startMeasured('dist/api/main.js', { ...env, PORT: String(port), SANDBOX_PORT: stripePort });
  const created = await sendAll(url, orderRequests(REQUESTS));
  const createCpu = web.cpuMs() / REQUESTS;
  await Promise.all([web.stop(), instant.stop()]);

  web = await startMeasured('dist/api/main.js', { ...env, PORT: String(port), LOG_LEVEL: 'info' });
  await sendAll(url, signedSuccesses(await storeOrders(db, SETTLEMENTS)));
  const settler = await startMeasured('dist/worker/main.js', { ...env, WORKER_QUEUES: 'payments' });
  const waiting = await count('payments');
  const settling = performance.now();
  await waitFor('everything is settled', async () => (await count('payments')) === 0, WAIT);
  const settledPerSecond = waiting / ((performance.now() - settling) / 1000);
  const settleCpu = settler.cpuMs() / waiting;
  await settler.stop();
  const worker = await startMeasured('dist/worker/main.js', env);
  const unsent = await count('emails');
  const mailing = performance.now();
  await waitFor('every mail is sent', async () => (await count('emails')) === 0, WAIT);
  const mailsPerSecond = unsent / ((performance.now() - mailing) / 1000);
  const mailCpu = worker.cpuMs() / unsent;

  const ids = await storeOrders(db, SAMPLES);
  const successes = signedSuccesses(ids);
  const latency = await paidLatency(
    url,
    ids.flatMap((id, i) => (successes[i] ? [{ id, success: successes[i] }] : [])),
  );
  const readyMs = [web, worker].map(({ readyAfterMs }) => Math.round(readyAfterMs)).join(' / ');
  const memory = { web: Math.max(webMemory, web.residentMiB()), worker: worker.residentMiB() };
  await Promise.all([web.stop(), worker.stop()]);
  await sandbox.close();
  await db.destroy();

  console.info(`\n### BullMQ on ${redisUrl ? 'Redis' : 'PostgreSQL'}\n`);
  console.info('| | measured | limit | share |\n|---|---:|---:|---:|');
  row('webhooks accepted/s', webhooks.perSecond, insertLimit.perSecond);
  row('orders created/s (instant provider)', created.perSecond, insertLimit.perSecond);
  row('orders settled/s', settledPerSecond, jobsLimit);
  row('… beside no-op jobs that add two jobs each', settledPerSecond, jobsWithFollowUps);
  console.info(
    `| webhook → paid on the event stream, ms (p50 / p95 / p99) | ${triple(latency)} | ${triple(roundTrip)} | |`,
  );
  console.info(`| mails sent/s | ${Math.round(mailsPerSecond)} | | |`);
  console.info(
    `| memory of web / worker, MiB | ${Math.round(memory.web)} / ${Math.round(memory.worker)} | 150 | |`,
  );
  const cpu = [createCpu, webhookCpu, settleCpu, 2 * mailCpu];
  console.info(
    `| CPU per order, ms (create + webhook + settle + two mails) | ${cpu.map((ms) => ms.toFixed(1)).join(' + ')} | | |`,
  );
  console.info(`| start to ready, ms (web / worker) | ${readyMs} | 1000 | |`);
  const failed = webhooks.failed + created.failed + insertLimit.failed;
  console.info(`\nwebhook p99 ${webhooks.p99Ms} ms; failed requests: ${failed}`);
  // The rate of refusals is no measurement.
  if (failed > 0) process.exitCode = 1;

  async function count(queue: string): Promise<number> {
    return Number(
      (await db('outbox').where({ status: 'open', queue }).count<{ count: string }>('* as count').first())
        ?.count,
    );
  }

  /** Removes unprocessed work so that the next part does not measure it. */
  async function discardWork(): Promise<void> {
    await db.raw('truncate outbox, payment_events cascade');
    if (redisUrl) await redis?.flush();
    else
      await db.raw(`do $$ declare t text; begin
      for t in select format('%I.%I', schemaname, tablename) from pg_tables where schemaname = 'bullmq' and tablename like '%job%'
      loop execute 'truncate ' || t || ' cascade'; end loop; end $$`);
  }
}

function row(name: string, value: number, limit: number): void {
  console.info(
    `| ${name} | ${Math.round(value)} | ${Math.round(limit)} | ${Math.round((100 * value) / limit)} % |`,
  );
}

function triple({ p50, p95, p99 }: Percentiles): string {
  return [p50, p95, p99].map((ms) => ms.toFixed(1)).join(' / ');
}
