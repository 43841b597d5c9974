import { type JobName, type JobPayload, jobs } from '../core/jobs.ts';
import { findOrderOfJob } from '../db/dead-jobs.ts';
import { findOpenRow, type OpenRow } from '../db/open-rows.ts';
import { notifyOrder } from '../db/order-notices.ts';
import { markDone, markDoneWithoutEffect, type OutboxRow, postpone, recordFailure } from '../db/outbox.ts';
import { crashPoint } from '../infra/crash-point.ts';
import { type Logger, messageOf } from '../infra/logger.ts';
import { observeJob } from '../infra/metrics.ts';
import { retryDelay } from '../infra/retry.ts';
import type { Span, SpanOptions } from '../infra/tracer.ts';
import { traced } from '../infra/tracing.ts';
import { applyPaymentEvent } from '../orders/apply-payment-event.ts';
import { backfillEvents } from '../orders/backfill-events.ts';
import { cancelOrder } from '../orders/cancel-order.ts';
import { cancelPayment } from '../orders/cancel-payment.ts';
import { keepRequestedPayment } from '../orders/keep-payment.ts';
import type { JobRun } from '../orders/parts.ts';
import { reconcileOrder } from '../orders/reconcile-order.ts';
import { refundDuplicate } from '../orders/refund-duplicate.ts';
import { refundPayment } from '../orders/refund-payment.ts';
import { ProviderBusy } from '../providers/bulkhead.ts';
import { applyRetention } from './apply-retention.ts';
import { onDeadLetter } from './dead-letter.ts';
import type { WorkerParts } from './parts.ts';
import { remindStaff } from './remind-staff.ts';
import { sendEmail } from './send-email.ts';

type JobHandler<N extends JobName> = (
  parts: WorkerParts,
  payload: JobPayload<N>,
  run: JobRun,
) => Promise<void>;

const handlers: { [N in JobName]: JobHandler<N> } = {
  'apply-payment-event': applyPaymentEvent,
  'reconcile-order': reconcileOrder,
  'refund-duplicate': refundDuplicate,
  'cancel-payment': cancelPayment,
  'refund-payment': refundPayment,
  'keep-payment': keepRequestedPayment,
  'cancel-order': cancelOrder,
  'backfill-events': backfillEvents,
  'apply-retention': applyRetention,
  'remind-staff': remindStaff,
  'send-email': sendEmail,
};

/**
 * Runs an open outbox row's job and records failures. Returns ms until it is due again; undefined if it has ended, 'missing'
 * if there is no such row.
 */
export async function runJob(
  parts: WorkerParts,
  rowId: string,
  firstRetryMs?: number,
): Promise<number | 'missing' | undefined> {
  const row = await findOpenRow(parts.db, rowId);
  if (!row) return 'missing';
  if (row === 'ended') return undefined;
  return traced(`job ${row.job}`, spanOf(row), (span) => runRow(parts, row, firstRetryMs, span));
}

async function runRow(
  parts: WorkerParts,
  row: OpenRow,
  firstRetryMs: number | undefined,
  span: Span | undefined,
): Promise<number | undefined> {
  const logger = parts.logger.child({ job: row.job, row: row.id, requestId: row.requestId });
  const started = performance.now();
  const observe = (result: Parameters<typeof observeJob>[1]) => {
    observeJob(row.job, result, (performance.now() - started) / 1000);
    span?.set({ 'querywright.result': result });
  };
  let againInMs: number | undefined;
  const postponeRow = async (delayMs: number) => {
    await postpone(parts.db, row.id, delayMs);
    againInMs = delayMs;
  };
  try {
    crashPoint(`before-${row.job}`);
    const complete = (effect?: Effect) => completeRow(parts, row, effect);
    const { id, requestId, failingForMs, event, order } = row;
    const run = { row: id, requestId, failingForMs, event, order, logger, postpone: postponeRow, complete };
    await dispatch(parts, row, run);
    crashPoint(`after-${row.job}`);
    observe(againInMs === undefined ? 'done' : 'postponed');
    return againInMs;
  } catch (error) {
    if (error instanceof ProviderBusy) {
      logger.debug({ provider: error.provider, retryInMs: error.retryInMs }, 'provider busy; job postponed');
      await postponeRow(error.retryInMs);
      observe('postponed');
      return againInMs;
    }
    span?.fail(error);
    const retryInMs = await fail(parts, row, error, firstRetryMs, logger);
    observe(retryInMs === undefined ? 'dead_lettered' : 'failed');
    return retryInMs;
  }
}

type Effect = NonNullable<Parameters<JobRun['complete']>[0]>;

/** Marks the row done, in the transaction of its effect if it has one. */
async function completeRow({ db, outbox }: WorkerParts, row: OutboxRow, effect?: Effect): Promise<void> {
  if (!effect) {
    crashPoint(`in-${row.job}`);
    return markDoneWithoutEffect(db, row.id);
  }
  await outbox.transaction(row.requestId, async (trx) => {
    if (!(await markDone(trx, row.id))) return;
    await effect(trx);
    crashPoint(`in-${row.job}`);
  });
}

/** Continues the trace that wrote the row. Of the payload only ids are recorded. */
function spanOf({ id, job, payload, requestId, traceparent, attempts }: OutboxRow): SpanOptions {
  const { orderId, eventId, emailId } = payload as Record<string, string | undefined>;
  return {
    kind: 'consumer',
    traceparent,
    attributes: {
      'messaging.system': 'querywright',
      'messaging.operation.type': 'process',
      'messaging.destination.name': jobs[job].queue,
      'messaging.message.id': id,
      'querywright.job.attempts': attempts,
      'querywright.request.id': requestId ?? undefined,
      'querywright.order.id': orderId,
      'querywright.event.id': eventId,
      'querywright.email.id': emailId,
    },
  };
}

async function dispatch(parts: WorkerParts, row: OutboxRow, run: JobRun): Promise<void> {
  const handler = handlers[row.job] as JobHandler<JobName>;
  await handler(parts, jobs[row.job].payload.parse(row.payload) as JobPayload<JobName>, run);
}

/** Returns the delay until the next run, undefined if the job became a dead letter. */
async function fail(
  parts: WorkerParts,
  row: OutboxRow,
  error: unknown,
  firstMs: number | undefined,
  logger: Logger,
): Promise<number | undefined> {
  const retryInMs = retryDelay(error, row, { firstMs });
  const reason = error instanceof Error ? `${error.name}: ${messageOf(error)}`.slice(0, 500) : String(error);
  if (retryInMs === null) {
    logger.error({ err: error }, 'job failed permanently; dead-lettered');
    await onDeadLetter(parts, row, reason);
  } else {
    logger.warn({ err: error, attempts: row.attempts + 1, retryInMs }, 'job failed; retrying');
  }
  await recordFailure(parts.db, row.id, { error: reason, retryInMs });
  if (retryInMs === null) await notifyDesk(parts, row);
  return retryInMs ?? undefined;
}

/** Makes open desk pages refresh the order. */
async function notifyDesk({ db }: WorkerParts, { id }: OutboxRow): Promise<void> {
  const orderId = await findOrderOfJob(db, id);
  if (orderId) await notifyOrder(db, orderId);
}
