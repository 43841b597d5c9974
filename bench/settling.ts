import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createQueueBackend } from '../infra/queue.ts';
import { waitFor } from '../testing/wait-for.ts';
import { noOpJobsPerSecond } from './bullmq-limits.ts';
import { meanRate, sendAll } from './load.ts';
import { startMeasured } from './measured.ts';
import { signedSuccesses, storeOrders } from './orders.ts';
import type { Stage } from './stage.ts';
import { TURNS } from './turns.ts';

const SETTLEMENTS = 4_000;

/** Orders and no-op jobs per second of one worker. */
export interface Settling {
  settled: number;
  noOp: number;
  /** Each job adds two. */
  withFollowUps: number;
  /** … and commits one row. */
  committing: number;
  /** The worker's CPU for each order, ms. */
  cpu: number;
}

/** Needs a web process. Leaves the e-mails of the last turn unsent. */
export async function measureSettling(stage: Stage): Promise<Settling> {
  const { env, discardWork, vacuum } = stage;
  const limits = createQueueBackend({
    redisUrl: env.REDIS_URL,
    listenDatabaseUrl: env.DATABASE_URL,
    queuePrefix: 'bench-limit',
    onError: console.error,
  });
  const pool = new pg.Pool({ connectionString: env.DATABASE_URL, max: 10 });
  const commit = () => pool.query('insert into bench_inserts values ($1, $2)', [randomUUID(), '{}']);
  const turns: Settling[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const noOp = await noOpJobsPerSecond(limits, SETTLEMENTS);
    const withFollowUps = await noOpJobsPerSecond(limits, SETTLEMENTS, { followUps: 2 });
    const committing = await noOpJobsPerSecond(limits, SETTLEMENTS, { commit, followUps: 2 });
    await discardWork();
    await vacuum();
    turns.push({ noOp, withFollowUps, committing, ...(await settleBacklog(stage)) });
  }
  await pool.end();
  await limits.close();
  const rate = (name: Exclude<keyof Settling, 'cpu'>) => meanRate(turns.map((turn) => turn[name]));
  return {
    settled: rate('settled'),
    noOp: rate('noOp'),
    withFollowUps: rate('withFollowUps'),
    committing: rate('committing'),
    cpu: turns.reduce((sum, { cpu }) => sum + cpu, 0) / TURNS,
  };
}

/** Settles events that wait for a worker. The first half is not timed: V8 optimizes only what has run often. */
async function settleBacklog({ db, env, url, open, untilSettled }: Stage) {
  await sendAll(url, signedSuccesses(await storeOrders(db, 2 * SETTLEMENTS)));
  const worker = await startMeasured('dist/worker/main.js', { ...env, WORKER_QUEUES: 'payments' });
  let left = 0;
  const isHalfDone = async () => {
    left = await open('payments');
    return left <= SETTLEMENTS;
  };
  await waitFor('half of them are settled', isHalfDone, { timeoutMs: 60_000, everyMs: 20 });
  const since = performance.now();
  worker.cpuMs();
  await untilSettled();
  const settled = left / ((performance.now() - since) / 1000);
  const cpu = worker.cpuMs() / left;
  await worker.stop();
  return { settled, cpu };
}
