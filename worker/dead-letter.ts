import { type JobName, type JobPayload, jobs } from '../core/jobs.ts';
import { queueEmails } from '../db/emails.ts';
import type { OutboxRow } from '../db/outbox.ts';
import { onPaymentEventFailed } from '../orders/apply-payment-event.ts';
import { onCancelPaymentFailed } from '../orders/cancel-payment.ts';
import { onRefundDuplicateFailed } from '../orders/refund-duplicate.ts';
import { onRefundPaymentFailed } from '../orders/refund-payment.ts';
import type { WorkerParts } from './parts.ts';

type Hook<N extends JobName> = (
  parts: WorkerParts,
  payload: JobPayload<N>,
  reason: string,
  row: OutboxRow,
) => Promise<void>;

/** Staff get an e-mail about every dead letter, except those of e-mails. */
const hooks: { [N in JobName]?: Hook<N> } = {
  'apply-payment-event': async (parts, payload, reason, row) => {
    await onPaymentEventFailed(parts, payload, reason);
    await alertStaff(parts, row, reason, payload.eventId);
  },
  'refund-duplicate': onRefundDuplicateFailed,
  'cancel-payment': onCancelPaymentFailed,
  'refund-payment': onRefundPaymentFailed,
  'send-email': async () => {},
};

/** Runs before the job's row becomes a dead letter. */
export async function onDeadLetter(parts: WorkerParts, row: OutboxRow, reason: string): Promise<void> {
  const hook = hooks[row.job] as Hook<JobName> | undefined;
  if (!hook) return alertStaff(parts, row, reason);
  await hook(parts, jobs[row.job].payload.parse(row.payload) as JobPayload<JobName>, reason, row);
}

async function alertStaff(
  { outbox }: WorkerParts,
  { id: jobId, job, requestId }: OutboxRow,
  error: string,
  event: string | null = null,
): Promise<void> {
  const params = { jobId, job, error, event };
  await outbox.transaction(requestId, (trx) =>
    queueEmails(trx, [{ kind: 'job_dead_alert', dedupeKey: jobId, params }]),
  );
}
