import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { queueNames } from '../core/jobs.ts';
import { startBarePipeline } from './latency-limit.ts';
import { sendAll } from './load.ts';
import { type Measured, startMeasured } from './measured.ts';
import { signedSuccesses, storeOrders } from './orders.ts';
import { paidLatency, paidLatencyAt, payAll } from './paid-latency.ts';
import type { Percentiles } from './percentiles.ts';
import type { Servers, Stage } from './stage.ts';
import { medianOf, medianTurn, TURNS } from './turns.ts';

const ORDERS = 4_000;
const SAMPLES = 200;
/** Between two unloaded payments: the processors and the disk are idle again. */
const REST_MS = 40;
/** Orders under way at once that keep the pipeline busy. */
const AT_ONCE = 64;
/** Longer than infra/garbage-collection.ts takes to notice. */
export const IDLE_MS = 30_000;

interface Loaded extends Percentiles {
  /** Watched orders per second. The latencies are those at half of it. */
  capacity: number;
}

interface Memory {
  web: number;
  worker: number;
}

/** The whole pipeline, from a webhook to the order's event stream and its e-mails. */
export interface Paying {
  mails: number;
  /** The worker's CPU for each mail, ms. */
  mailCpu: number;
  paidAndMailed: number;
  failed: number;
  unloaded: Percentiles;
  /** Of the pipeline's hops and commits without its work. */
  hops: Percentiles;
  oneWorker: Loaded;
  twoWorkers: Loaded;
  /** MiB at the end of the load, and {@link IDLE_MS} later. */
  memory: Memory;
  memoryLater: Memory;
  workerReadyMs: number;
}

/** Sends the e-mails that the stage has left, pays orders with one worker, and then with one for each queue. */
export async function measurePaying(stage: Stage, web: Measured, servers: Servers): Promise<Paying> {
  const { env, vacuum } = stage;
  const worker = await startMeasured('dist/worker/main.js', env);
  const mailing = await measureMails(stage, worker);
  await vacuum();
  const burst = await payBurst(stage);
  await vacuum();
  const latency = await measureUnloaded(stage, servers);
  const oneWorker = await medianTurn(() => halfOfCapacity(stage));
  const memoryNow = () => ({ web: web.residentMiB(), worker: worker.residentMiB() });
  const memory = memoryNow();
  await sleep(IDLE_MS);
  const memoryLater = memoryNow();
  await worker.stop();
  const separate = await Promise.all(
    queueNames.map((name) => startMeasured('dist/worker/main.js', { ...env, WORKER_QUEUES: name })),
  );
  const twoWorkers = await medianTurn(() => halfOfCapacity(stage));
  await Promise.all(separate.map((running) => running.stop()));
  const workerReadyMs = worker.readyAfterMs;
  return { ...mailing, ...burst, ...latency, oneWorker, twoWorkers, memory, memoryLater, workerReadyMs };
}

async function measureMails({ open, untilDone }: Stage, worker: Measured) {
  const unsent = await open('emails');
  const started = performance.now();
  await untilDone();
  return { mails: unsent / secondsSince(started), mailCpu: worker.cpuMs() / unsent };
}

async function payBurst({ db, url, untilDone }: Stage) {
  const successes = signedSuccesses(await storeOrders(db, ORDERS));
  const started = performance.now();
  const { failed } = await sendAll(url, successes);
  await untilDone();
  return { paidAndMailed: ORDERS / secondsSince(started), failed };
}

async function measureUnloaded(stage: Stage, { postgres, redis }: Servers) {
  const bare = await startBarePipeline(postgres, redis);
  // V8 optimizes only what has run often. The product has run the burst; its worker was started for its e-mails.
  await payAll(bare.url, unknownOrders(ORDERS), AT_ONCE);
  const unloaded: Percentiles[] = [];
  const hops: Percentiles[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    unloaded.push(await paidLatency(stage.url, await pendingOrders(stage, SAMPLES), stage.untilDone));
    hops.push(await paidLatency(bare.url, unknownOrders(SAMPLES), () => sleep(REST_MS)));
  }
  await bare.stop();
  return { unloaded: medianOf(unloaded), hops: medianOf(hops) };
}

/** Pays watched orders as fast as possible and then at half of that rate. */
async function halfOfCapacity(stage: Stage): Promise<Loaded> {
  const { url, untilDone, vacuum } = stage;
  const watched = await pendingOrders(stage, Math.round(ORDERS / TURNS));
  const started = performance.now();
  await payAll(url, watched, AT_ONCE);
  await untilDone();
  const capacity = watched.length / secondsSince(started);
  await vacuum();
  const loaded = await paidLatencyAt(url, await pendingOrders(stage, 5 * SAMPLES), capacity / 2);
  await untilDone();
  return { capacity, ...loaded };
}

async function pendingOrders({ db }: Stage, count: number) {
  return withSuccesses(await storeOrders(db, count));
}

function unknownOrders(count: number) {
  return withSuccesses(Array.from({ length: count }, () => randomUUID()));
}

function withSuccesses(ids: string[]) {
  return signedSuccesses(ids).map((success, index) => ({ id: ids[index] ?? '', success }));
}

function secondsSince(started: number): number {
  return (performance.now() - started) / 1000;
}
