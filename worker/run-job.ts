import { type JobName, type JobPayload, jobs } from '../core/jobs.ts';
import type { Transaction } from '../db/database.ts';
import { findOpenRow, markDone, type OutboxRow, recordFailure } from '../db/outbox.ts';
import { crashPoint } from '../infra/crash-point.ts';
import type { Logger } from '../infra/logger.ts';
import { observeJob } from '../infra/metrics.ts';
import { applyPaymentEvent, buryPaymentEvent } from '../orders/apply-payment-event.ts';
import { reconcileOrder } from '../orders/reconcile-order.ts';
import { refundDuplicateCapture } from '../orders/refund-duplicate-capture.ts';
import type { WorkerParts } from './parts.ts';
import { retryDelay } from './retry.ts';
import { sendEmail } from './send-email.ts';

/** One run of one job. */
export interface JobRun {
  /** The outbox row that asked for it. */
  row: string;
  requestId: string | null;
  /** Time since the job was written, ms. */
  ageMs: number;
  logger: Logger;
  /**
   * Does the job's effect and marks the row done, in one transaction. If another run was first, nothing happens:
   * that is why a job may run any number of times.
   */
  complete(effect?: (trx: Transaction) => Promise<void>): Promise<void>;
}

export type JobHandler<N extends JobName> = (
  parts: WorkerParts,
  payload: JobPayload<N>,
  run: JobRun,
) => Promise<void>;

const handlers: { [N in JobName]: JobHandler<N> } = {
  'apply-payment-event': applyPaymentEvent,
  'reconcile-order': reconcileOrder,
  'refund-duplicate-capture': refundDuplicateCapture,
  'send-email': sendEmail,
};

/** What happens to a job's subject when the job becomes a dead letter. */
const burials: {
  [N in JobName]?: (parts: WorkerParts, payload: JobPayload<N>, reason: string) => Promise<void>;
} = {
  'apply-payment-event': buryPaymentEvent,
};

/** Runs the job of an outbox row; a row that is done, dead or unknown is nothing. Failures are recorded, not thrown. */
export async function runJob(parts: WorkerParts, rowId: string): Promise<void> {
  const row = await findOpenRow(parts.db, rowId);
  if (!row) return;
  const logger = parts.logger.child({ job: row.job, row: row.id, requestId: row.requestId });
  const started = performance.now();
  const observe = (result: 'done' | 'failed' | 'given_up') =>
    observeJob(row.job, result, (performance.now() - started) / 1000);
  const ageMs = Date.now() - row.createdAt.getTime();
  try {
    crashPoint(`before-${row.job}`);
    await dispatch(parts, row, {
      row: row.id,
      requestId: row.requestId,
      ageMs,
      logger,
      complete: (effect) =>
        parts.outbox.transaction(row.requestId, async (trx) => {
          if (!(await markDone(trx, row.id))) return;
          await effect?.(trx);
          crashPoint(`in-${row.job}`);
        }),
    });
    crashPoint(`after-${row.job}`);
    observe('done');
  } catch (error) {
    const givenUp = await fail(parts, row, error, ageMs, logger);
    observe(givenUp ? 'given_up' : 'failed');
  }
}

async function dispatch(parts: WorkerParts, row: OutboxRow, run: JobRun): Promise<void> {
  const handler = handlers[row.job] as JobHandler<JobName>;
  await handler(parts, jobs[row.job].payload.parse(row.payload) as JobPayload<JobName>, run);
}

/** Whether the job was given up. */
async function fail(
  parts: WorkerParts,
  row: OutboxRow,
  error: unknown,
  ageMs: number,
  logger: Logger,
): Promise<boolean> {
  const retryInMs = retryDelay(error, row.attempts, ageMs);
  const reason = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 500) : String(error);
  if (retryInMs === null) {
    logger.error({ err: error }, 'job given up: it waits for an operator');
    const bury = burials[row.job] as
      | ((p: WorkerParts, payload: unknown, reason: string) => Promise<void>)
      | undefined;
    await bury?.(parts, row.payload, reason);
  } else {
    logger.warn({ err: error, attempts: row.attempts + 1, retryInMs }, 'job failed; it will run again');
  }
  await recordFailure(parts.db, row.id, { error: reason, retryInMs });
  return retryInMs === null;
}
