import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@querywright/sandbox/listen';
import type { PostgresServer } from '@querywright/sandbox/postgres';
import pg from 'pg';
import { queueNames } from '../core/jobs.ts';
import { createQueueBackend } from '../infra/queue.ts';
import type { RedisServer } from '../testing/services/redis.ts';
import { waitFor } from '../testing/wait-for.ts';
import { noOpJobsPerSecond } from './bullmq-limits.ts';
import { startBarePipeline } from './latency-limit.ts';
import { meanRate, type Request, sendAll, type Throughput, together } from './load.ts';
import { startMeasured } from './measured.ts';
import { orderRequests, signedSuccesses, storeOrders } from './orders.ts';
import { paidLatency, paidLatencyAt, payAll } from './paid-latency.ts';
import type { Percentiles } from './percentiles.ts';
import { openStage, withServers } from './stage.ts';

// Measures the pipeline's throughput and, in the same run, the limits of its parts on this machine. Started with a large young
// generation (package.json), because a garbage collection of the load generator counts as latency.
const REQUESTS = 10_000;
/** The machine's speed varies: requests and their limits are measured in turn, and latency is a median turn's. */
const TURNS = 3;
const ORDERS = 5_000;
const SETTLEMENTS = 4_000;
const SAMPLES = 200;
/** Between two unloaded payments: the processors and the disk are idle again. */
const REST_MS = 40;
/** Orders under way at once that keep the pipeline busy. */
const AT_ONCE = 64;
/** Longer than infra/garbage-collection.ts takes to notice. */
const IDLE_MS = 30_000;

interface Settled {
  perSecond: number;
  /** Of the worker, for each order. */
  cpuMs: number;
}

await withServers(async ({ postgres, redis }) => {
  await measure(postgres, undefined);
  if (redis) await measure(postgres, redis);
});

async function measure(postgres: PostgresServer, redis: RedisServer | undefined): Promise<void> {
  const { db, env, port, url, open, untilSettled, untilDone, discardWork, vacuum, close } = await openStage(
    postgres,
    redis,
  );
  const limits = createQueueBackend({
    redisUrl: redis?.url,
    listenDatabaseUrl: env.DATABASE_URL,
    queuePrefix: 'bench-limit',
    onError: console.error,
  });

  const stripePort = String(await freePort());
  const insertPort = String(await freePort());
  /** An Express server that only stores its requests. */
  const startInsert = async (options: Record<string, string> = {}) => {
    const { DATABASE_URL } = env;
    const { stop } = await startMeasured('bench/insert-server.ts', {
      DATABASE_URL,
      PORT: insertPort,
      ...options,
    });
    const store = (requests: Request[]) =>
      sendAll(
        `http://localhost:${insertPort}`,
        requests.map((request) => ({ ...request, path: '/' })),
      );
    return { store, stop };
  };

  const insert = await startInsert();
  const receiver = await startMeasured('dist/api/main.js', { ...env, PORT: String(port) });
  const inserted: Throughput[] = [];
  const accepted: Throughput[] = [];
  receiver.cpuMs();
  for (let turn = 0; turn < TURNS; turn++) {
    const requests = signedSuccesses(await storeOrders(db, REQUESTS));
    inserted.push(await insert.store(requests));
    accepted.push(await sendAll(url, requests));
    await discardWork();
    await vacuum();
  }
  const insertLimit = together(inserted);
  const webhooks = together(accepted);
  const webhookCpu = receiver.cpuMs() / (TURNS * REQUESTS);
  const receiverMiB = receiver.residentMiB();
  await Promise.all([receiver.stop(), insert.stop()]);

  const instant = await startMeasured('bench/instant-stripe.ts', { PORT: stripePort });
  const calling = await startInsert({ STRIPE_PORT: stripePort });
  const creator = await startMeasured('dist/api/main.js', {
    ...env,
    PORT: String(port),
    SANDBOX_PORT: stripePort,
  });
  const called: Throughput[] = [];
  const placed: Throughput[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    called.push(await calling.store(orderRequests(ORDERS)));
    placed.push(await sendAll(url, orderRequests(ORDERS)));
  }
  const callLimit = together(called);
  const created = together(placed);
  const createCpu = creator.cpuMs() / (TURNS * ORDERS);
  await Promise.all([creator.stop(), calling.stop(), instant.stop()]);

  if (redis)
    await waitFor('Redis', () =>
      limits
        .openQueue('payments')
        .close()
        .then(() => true),
    );
  const pool = new pg.Pool({ connectionString: env.DATABASE_URL, max: 10 });
  const commit = () => pool.query('insert into bench_inserts values ($1, $2)', [randomUUID(), '{}']);
  const web = await startMeasured('dist/api/main.js', {
    ...env,
    PORT: String(port),
    LOG_LEVEL: 'info',
    // paid-latency.ts names an address for each buyer.
    TRUST_PROXY: 'loopback',
  });
  const noOp: number[] = [];
  const withFollowUps: number[] = [];
  const committing: number[] = [];
  const settled: Settled[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    noOp.push(await noOpJobsPerSecond(limits, SETTLEMENTS));
    withFollowUps.push(await noOpJobsPerSecond(limits, SETTLEMENTS, { followUps: 2 }));
    committing.push(await noOpJobsPerSecond(limits, SETTLEMENTS, { commit, followUps: 2 }));
    await discardWork();
    await vacuum();
    settled.push(await settleBacklog());
  }
  await pool.end();
  await limits.close();
  const settledPerSecond = meanRate(settled.map(({ perSecond }) => perSecond));
  const settleCpu = settled.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / TURNS;
  const worker = await startMeasured('dist/worker/main.js', env);
  const unsent = await open('emails');
  const mailing = performance.now();
  await untilDone();
  const mailsPerSecond = unsent / ((performance.now() - mailing) / 1000);
  const mailCpu = worker.cpuMs() / unsent;

  const payments = (ids: string[]) =>
    signedSuccesses(ids).map((success, index) => ({ id: ids[index] ?? '', success }));
  const pendingOrders = async (count: number) => payments(await storeOrders(db, count));
  const unknownOrders = (count: number) => payments(Array.from({ length: count }, () => randomUUID()));
  await vacuum();
  const burst = signedSuccesses(await storeOrders(db, SETTLEMENTS));
  const bursting = performance.now();
  const burstFailed = (await sendAll(url, burst)).failed;
  await untilDone();
  const burstPerSecond = SETTLEMENTS / ((performance.now() - bursting) / 1000);
  await vacuum();
  const bare = await startBarePipeline(postgres, redis);
  // V8 optimizes only what has run often. The product has run the burst; its worker was started for its e-mails.
  await payAll(bare.url, unknownOrders(SETTLEMENTS), AT_ONCE);
  const unloadedTurns: Percentiles[] = [];
  const bareTurns: Percentiles[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    unloadedTurns.push(await paidLatency(url, await pendingOrders(SAMPLES), untilDone));
    bareTurns.push(await paidLatency(bare.url, unknownOrders(SAMPLES), () => sleep(REST_MS)));
  }
  const unloaded = medianOf(unloadedTurns);
  const hops = medianOf(bareTurns);
  await bare.stop();
  const oneWorker = await medianTurn(halfOfCapacity);
  const readyMs = [web, worker].map(({ readyAfterMs }) => Math.round(readyAfterMs)).join(' / ');
  const memory = { web: Math.max(receiverMiB, web.residentMiB()), worker: worker.residentMiB() };
  await sleep(IDLE_MS);
  const later = { web: web.residentMiB(), worker: worker.residentMiB() };
  await worker.stop();
  const separate = await Promise.all(
    queueNames.map((name) => startMeasured('dist/worker/main.js', { ...env, WORKER_QUEUES: name })),
  );
  const twoWorkers = await medianTurn(halfOfCapacity);
  await Promise.all([web, ...separate].map((running) => running.stop()));
  await close();

  /** Settles events that wait for a worker. The first half is not timed: V8 optimizes only what has run often. */
  async function settleBacklog(): Promise<Settled> {
    await sendAll(url, signedSuccesses(await storeOrders(db, 2 * SETTLEMENTS)));
    const settler = await startMeasured('dist/worker/main.js', { ...env, WORKER_QUEUES: 'payments' });
    let left = 0;
    await waitFor(
      'half of them are settled',
      async () => {
        left = await open('payments');
        return left <= SETTLEMENTS;
      },
      { timeoutMs: 60_000, everyMs: 20 },
    );
    const since = performance.now();
    settler.cpuMs();
    await untilSettled();
    const perSecond = left / ((performance.now() - since) / 1000);
    const cpuMs = settler.cpuMs() / left;
    await settler.stop();
    return { perSecond, cpuMs };
  }

  /** Pays watched orders as fast as possible and then at half of that rate. */
  async function halfOfCapacity(): Promise<Percentiles & { capacity: number }> {
    const watched = await pendingOrders(Math.round(SETTLEMENTS / TURNS));
    const watching = performance.now();
    await payAll(url, watched, AT_ONCE);
    await untilDone();
    const capacity = watched.length / ((performance.now() - watching) / 1000);
    await vacuum();
    const loaded = await paidLatencyAt(url, await pendingOrders(5 * SAMPLES), capacity / 2);
    await untilDone();
    return { capacity, ...loaded };
  }

  console.info(`\n### BullMQ on ${redis ? 'Redis' : 'PostgreSQL'}\n`);
  console.info('| | measured | limit | share |\n|---|---:|---:|---:|');
  row('webhooks accepted/s', webhooks.perSecond, insertLimit.perSecond);
  row('orders created/s (instant provider)', created.perSecond, insertLimit.perSecond);
  row('… beside one INSERT and one call of the SDK', created.perSecond, callLimit.perSecond);
  row('orders settled/s', settledPerSecond, meanRate(noOp));
  row('… beside no-op jobs that add two jobs each', settledPerSecond, meanRate(withFollowUps));
  row('… and commit one row', settledPerSecond, meanRate(committing));
  console.info(
    `| webhook → paid on the event stream, ms (p50 / p95 / p99) | ${triple(unloaded)} | ${triple(hops)} | |`,
  );
  for (const [name, { capacity, ...loaded }] of [
    ['at half of the capacity', oneWorker],
    ['with a worker for payments and one for e-mails, at half of theirs', twoWorkers],
  ] as const) {
    console.info(`| … ${name} (${Math.round(capacity / 2)} orders/s) | ${triple(loaded)} | | |`);
  }
  console.info(`| mails sent/s | ${Math.round(mailsPerSecond)} | | |`);
  console.info(`| orders paid and mailed/s, their webhooks included | ${Math.round(burstPerSecond)} | | |`);
  console.info(`| … and each watched on its event stream | ${Math.round(oneWorker.capacity)} | | |`);
  console.info(
    `| memory of web / worker at the end of the load, MiB | ${Math.round(memory.web)} / ${Math.round(memory.worker)} | | |`,
  );
  console.info(
    `| … ${IDLE_MS / 1000} s later, MiB | ${Math.round(later.web)} / ${Math.round(later.worker)} | | |`,
  );
  const cpu = [createCpu, webhookCpu, settleCpu, 2 * mailCpu];
  console.info(
    `| CPU per order, ms (create + webhook + settle + two mails) | ${cpu.map((ms) => ms.toFixed(1)).join(' + ')} | | |`,
  );
  console.info(`| start to ready, ms (web / worker) | ${readyMs} | | |`);
  const failed = webhooks.failed + created.failed + insertLimit.failed + callLimit.failed + burstFailed;
  console.info(`\nwebhook p99 ${webhooks.p99Ms} ms; failed requests: ${failed}`);
  // A rate that includes refusals means nothing.
  if (failed > 0) process.exitCode = 1;
}

/** The median of TURNS turns, by p99. */
async function medianTurn<T extends Percentiles>(turn: () => Promise<T>): Promise<T> {
  const turns: T[] = [];
  for (let done = 0; done < TURNS; done++) turns.push(await turn());
  return medianOf(turns);
}

function medianOf<T extends Percentiles>(turns: T[]): T {
  const sorted = [...turns].sort((one, other) => one.p99 - other.p99);
  const median = sorted[Math.floor(sorted.length / 2)];
  if (!median) throw new Error('No turn was measured');
  return median;
}

function row(name: string, value: number, limit: number): void {
  console.info(
    `| ${name} | ${Math.round(value)} | ${Math.round(limit)} | ${Math.round((100 * value) / limit)} % |`,
  );
}

function triple({ p50, p95, p99 }: Percentiles): string {
  return [p50, p95, p99].map((ms) => ms.toFixed(1)).join(' / ');
}
