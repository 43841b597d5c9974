import { type JobName, type JobPayload, jobs } from '../core/jobs.ts';
import type { Transaction } from '../db/database.ts';
import { findOpenRow, markDone, type OutboxRow, recordFailure } from '../db/outbox.ts';
import { crashPoint } from '../infra/crash-point.ts';
import type { Logger } from '../infra/logger.ts';
import { observeJob } from '../infra/metrics.ts';
import { retryDelay } from '../infra/retry.ts';
import { applyPaymentEvent, deadLetterPaymentEvent } from '../orders/apply-payment-event.ts';
import { reconcileOrder } from '../orders/reconcile-order.ts';
import { refundDuplicateCapture } from '../orders/refund-duplicate-capture.ts';
import type { WorkerParts } from './parts.ts';
import { sendEmail } from './send-email.ts';

export interface JobRun {
  /** The outbox row's id. */
  row: string;
  requestId: string | null;
  /** Time since the job was enqueued, ms. */
  ageMs: number;
  logger: Logger;
  /**
   * Runs the effect and marks the row done, in one transaction. Does nothing if another run already has, so a job
   * may run any number of times.
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

/** Runs before the job's row becomes a dead letter. */
const onDeadLetter: {
  [N in JobName]?: (parts: WorkerParts, payload: JobPayload<N>, reason: string) => Promise<void>;
} = {
  'apply-payment-event': deadLetterPaymentEvent,
};

/** Runs the job of an open outbox row. Failures are recorded, not thrown. */
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
    const deadLettered = await fail(parts, row, error, ageMs, logger);
    observe(deadLettered ? 'given_up' : 'failed');
  }
}

async function dispatch(parts: WorkerParts, row: OutboxRow, run: JobRun): Promise<void> {
  const handler = handlers[row.job] as JobHandler<JobName>;
  await handler(parts, jobs[row.job].payload.parse(row.payload) as JobPayload<JobName>, run);
}

/** Returns whether the job became a dead letter. */
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
    logger.error({ err: error }, 'job failed permanently; dead-lettered');
    const hook = onDeadLetter[row.job] as
      | ((p: WorkerParts, payload: unknown, reason: string) => Promise<void>)
      | undefined;
    await hook?.(parts, row.payload, reason);
  } else {
    logger.warn({ err: error, attempts: row.attempts + 1, retryInMs }, 'job failed; retrying');
  }
  await recordFailure(parts.db, row.id, { error: reason, retryInMs });
  return retryInMs === null;
}
