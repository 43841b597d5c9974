import type { Job } from 'bullmq';
import { paymentMethods } from '../core/orders.ts';
import { enqueueDueBackfills } from '../db/backfills.ts';
import { enqueueDueChecks } from '../db/reconciliation.ts';
import { within } from '../infra/deadline.ts';
import type { JobWorker } from '../infra/queue.ts';
import { BACKFILL_EVERY_MS } from '../orders/backfill-events.ts';
import type { WorkerParts } from './parts.ts';
import { runJob } from './run-job.ts';
import { startTicking } from './ticker.ts';

export interface WorkerIntervals {
  relayMs: number;
  checkMs: number;
}

const defaultIntervals: WorkerIntervals = { relayMs: 5_000, checkMs: 10_000 };
const CHECK_BATCH = 100;
const FULL_QUEUE_RECHECK_MS = 250;
const CLOSE_DEADLINE_MS = 8_000;

export interface RunningWorker {
  close(): Promise<void>;
}

/** Runs the jobs of its queues and relays the outbox. Any number of workers may run at once. */
export function startWorker(parts: WorkerParts, intervals = defaultIntervals): RunningWorker {
  const { backend, config, logger, outbox } = parts;
  const concurrency = { payments: config.workerConcurrency, emails: config.emailConcurrency };
  const workers: JobWorker[] = config.workerQueues.map((name) =>
    backend.openWorker(name, (job: Job<{ id: string }>) => runJob(parts, job.data.id), {
      concurrency: concurrency[name],
    }),
  );
  const tickers = [
    startTicking(intervals.relayMs, relay, (error) => logger.warn({ err: error }, 'relay failed; retrying')),
    startTicking(intervals.checkMs, check, (error) =>
      logger.warn({ err: error }, 'enqueuing checks failed; retrying'),
    ),
  ];

  async function relay(): Promise<number | undefined> {
    const { relayed, isQueueFull } = await outbox.relay();
    if (relayed > 0) logger.info({ relayed }, 'relayed outbox rows');
    return isQueueFull ? FULL_QUEUE_RECHECK_MS : undefined;
  }

  async function check(): Promise<undefined> {
    const listing = paymentMethods.filter((method) => parts.gateways[method].eventsSince);
    const taken = await outbox.transaction(null, async (trx) => {
      await enqueueDueBackfills(trx, listing, BACKFILL_EVERY_MS);
      return enqueueDueChecks(trx, CHECK_BATCH);
    });
    logger.debug({ taken }, 'due checks enqueued');
  }

  return {
    async close() {
      for (const ticker of tickers) ticker.stop();
      // BullMQ's close waits for running jobs without a limit.
      await within(CLOSE_DEADLINE_MS, Promise.all(workers.map((worker) => worker.close()))).catch(() => {
        logger.warn('closing with jobs still running; another worker will run them');
      });
    },
  };
}
