import { setTimeout as sleep } from 'node:timers/promises';
import type { Job as QueuedJob } from 'bullmq';
import pLimit, { type LimitFunction } from 'p-limit';
import { queueNames } from '../core/jobs.ts';
import { type PaymentMethod, paymentMethods } from '../core/orders.ts';
import { enqueueDueChecks } from '../db/reconciliation.ts';
import { enqueueWhenDue, type ScheduledJob } from '../db/schedules.ts';
import { within } from '../infra/deadline.ts';
import { showCircuit } from '../infra/metrics.ts';
import type { JobWorker } from '../infra/queue.ts';
import { afterUrgentWork, runUrgently } from '../infra/urgent-work.ts';
import { BACKFILL_EVERY_MS, backfillSchedule } from '../orders/backfill-events.ts';
import { createBulkhead, withBulkhead } from '../providers/bulkhead.ts';
import type { PaymentGateways } from '../providers/gateway.ts';
import { RETENTION_EVERY_MS } from './apply-retention.ts';
import { createDrain } from './drain.ts';
import type { WorkerParts } from './parts.ts';
import { REMINDERS_EVERY_MS } from './remind-staff.ts';
import { runJob } from './run-job.ts';
import { startTicking } from './ticker.ts';

interface WorkerIntervals {
  relayMs: number;
  checkMs: number;
  /** Before a failed job's first retry; by default a second. */
  firstRetryMs?: number;
}

const defaultIntervals: WorkerIntervals = { relayMs: 5_000, checkMs: 10_000 };
const UNSETTLED_CHECKS = 100;
/**
 * 5/s with the default interval: a fifth of Stripe's limit per endpoint
 * (https://docs.stripe.com/rate-limits). With more than 16,000 orders a day, checks are more than a week apart.
 */
const SETTLED_CHECKS = 50;
const FULL_QUEUE_RECHECK_MS = 250;
const MIN_RELAY_PAUSE_MS = 250;
const CLOSE_DEADLINE_MS = 8_000;
/**
 * Between readings of a row whose job came during its commit (docs/decisions/0023-enqueue-during-commit.md): in all longer
 * than SLOW_COMMIT_MS (db/receive-event.ts).
 */
const COMMIT_WAITS_MS = [1, 2, 4, 8, 16, 32];

export interface RunningWorker {
  close(): Promise<void>;
}

/** What a job of the queue delivers: outbox rows. A release without bundles enqueues one, as `id`. */
interface Delivery {
  ids?: string[];
  id?: string;
}

/** Runs the jobs of its queues and relays the outbox. Any number of workers may run at once. */
export function startWorker(given: WorkerParts, intervals = defaultIntervals): RunningWorker {
  const parts: WorkerParts = { ...given, gateways: behindBulkheads(given) };
  const { backend, config, logger, outbox } = parts;
  const concurrency = {
    // Leaves slots for jobs that call no provider while the slots of every provider are taken.
    payments: config.workerConcurrency * (1 + paymentMethods.length),
    // While a connection sends one e-mail, seven others are being claimed, wait for it, or are recorded.
    emails: 8 * config.mail.maxConnections,
  };
  const scheduled = scheduledJobs(parts.gateways);
  const drain = createDrain(parts, concurrency, run);
  const relaying = startTicking(intervals.relayMs, relay, (error) =>
    logger.warn({ err: error }, 'relay failed; retrying'),
  );
  const checking = startTicking(intervals.checkMs, check, (error) =>
    logger.warn({ err: error }, 'enqueuing checks failed; retrying'),
  );
  const workers: JobWorker[] = config.workerQueues.map((name) => {
    const slots = concurrency[name];
    const limit = pLimit(slots);
    const inTurn = name === 'payments' ? runUrgently : afterUrgentWork;
    const deliver = ({ data }: QueuedJob<Delivery>) => inTurn(() => runAll(data, limit));
    return backend.openWorker(name, deliver, { concurrency: slots });
  });

  /** Each row succeeds or fails on its own. Throws only if that could not be recorded. */
  async function runAll({ ids, id = '0' }: Delivery, limit: LimitFunction): Promise<void> {
    const runs = await Promise.allSettled((ids ?? [id]).map((rowId) => runOnceCommitted(rowId, limit)));
    const failed = runs.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** A row that is not committed yet takes no slot while it is waited for. */
  async function runOnceCommitted(rowId: string, limit: LimitFunction): Promise<void> {
    for (const pauseMs of COMMIT_WAITS_MS) {
      if (await limit(() => run(rowId))) return;
      await sleep(pauseMs);
    }
    await limit(() => run(rowId));
  }

  /** False if there is no such row. */
  async function run(rowId: string): Promise<boolean> {
    const againInMs = await runJob(parts, rowId, intervals.firstRetryMs);
    if (againInMs === 'missing') return false;
    if (againInMs !== undefined) relaying.runWithin(Math.max(againInMs, MIN_RELAY_PAUSE_MS));
    return true;
  }

  async function relay(): Promise<number | undefined> {
    // What this worker drains would only make a detour through the queue.
    const { relayed, fullQueues } = await outbox.relay(queueNames.filter((name) => !drain.isClaiming(name)));
    if (relayed > 0) logger.info({ relayed }, 'relayed outbox rows');
    for (const name of fullQueues) if (config.workerQueues.includes(name)) drain.start(name);
    return fullQueues.length > 0 ? FULL_QUEUE_RECHECK_MS : undefined;
  }

  async function check(): Promise<undefined> {
    const taken = await outbox.transaction(null, async (trx) => {
      await enqueueWhenDue(trx, scheduled);
      return enqueueDueChecks(trx, {
        unsettled: UNSETTLED_CHECKS,
        settled: SETTLED_CHECKS,
        settledEveryMs: intervals.checkMs,
      });
    });
    logger.debug({ taken }, 'due checks enqueued');
  }

  return {
    async close() {
      relaying.stop();
      checking.stop();
      // BullMQ's close waits for running jobs without a limit.
      await within(
        CLOSE_DEADLINE_MS,
        Promise.all([...workers.map((worker) => worker.close()), drain.close()]),
      ).catch(() => {
        logger.warn('closing with jobs still running; another worker will run them');
      });
    },
  };
}

function scheduledJobs(gateways: PaymentGateways): ScheduledJob[] {
  const backfills = paymentMethods
    .filter((provider) => gateways[provider].eventsSince)
    .map(
      (provider): ScheduledJob => ({
        job: { name: 'backfill-events', payload: { provider } },
        everyMs: BACKFILL_EVERY_MS,
        schedule: backfillSchedule(provider),
      }),
    );
  return [
    ...backfills,
    { job: { name: 'apply-retention', payload: {} }, everyMs: RETENTION_EVERY_MS },
    { job: { name: 'remind-staff', payload: {} }, everyMs: REMINDERS_EVERY_MS },
  ];
}

function behindBulkheads({ config, gateways, logger }: WorkerParts): PaymentGateways {
  const entries = paymentMethods.map((provider: PaymentMethod) => {
    const onCircuit = (isOpen: boolean) => {
      showCircuit(provider, isOpen);
      logger.warn({ provider }, isOpen ? 'provider circuit opened' : 'provider circuit closed');
    };
    showCircuit(provider, false);
    const bulkhead = createBulkhead(provider, { slots: config.workerConcurrency, onCircuit });
    return [provider, withBulkhead(gateways[provider], bulkhead)];
  });
  return Object.fromEntries(entries);
}
