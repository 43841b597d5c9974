import type { JobAction } from '../core/desk-actions.ts';
import type { Staff } from '../core/staff.ts';
import { discardJobs, findOrderOfJob, retryDeadJobs } from '../db/dead-jobs.ts';
import { notifyOrder } from '../db/order-notices.ts';
import { actionNotPossible } from './errors.ts';
import type { OrderParts } from './parts.ts';
import { requireFreshOperator } from './permissions.ts';
import { recordAction } from './record-action.ts';

/**
 * Retries a job that failed permanently, or discards it with its event or e-mail. Recorded with person and reason, also on
 * the timeline of its order. Idempotent by key.
 * @throws OrderError if the person is not allowed to, or the job is not a dead letter
 */
export async function actOnJob(
  { outbox }: Pick<OrderParts, 'outbox'>,
  staff: Staff,
  { jobId, requestId, wanted }: { jobId: string; requestId: string; wanted: JobAction },
): Promise<void> {
  requireFreshOperator(staff);
  const { action, key, reason } = wanted;
  await outbox.transaction(requestId, async (trx) => {
    const orderId = await findOrderOfJob(trx, jobId);
    const done = { key, reason, action: `${action} job`, subject: jobId, ...(orderId && { orderId }) };
    if (!(await recordAction(trx, staff, done))) return;
    const changed =
      action === 'retry' ? await retryDeadJobs(trx, [jobId]) : await discardJobs(trx, [jobId], reason);
    if (changed.length === 0) throw actionNotPossible('This job has not failed, or is already resolved.');
    if (orderId) await notifyOrder(trx, orderId);
  });
}
