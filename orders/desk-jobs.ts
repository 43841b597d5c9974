import type { JobAction } from '../core/desk-actions.ts';
import type { Staff } from '../core/staff.ts';
import { discardJobs, findOrderOfJob, reviveJobs } from '../db/dead-jobs.ts';
import { recordDeskAction } from '../db/desk-actions.ts';
import { announceAfterCommit } from '../db/unit-of-work.ts';
import { actionNotPossible } from './errors.ts';
import type { OrderParts } from './parts.ts';
import { requireFreshOperator } from './permissions.ts';

/**
 * Runs a job that failed permanently again, or ends it with its event or e-mail. Recorded with who and why, also on the time
 * line of the order that it is about. An action that was taken before is not repeated.
 * @throws OrderError if the person may not, or the job is no dead letter (any more)
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
    if (!(await recordDeskAction(trx, staff, done))) return;
    const changed =
      action === 'retry' ? await reviveJobs(trx, [jobId]) : await discardJobs(trx, [jobId], reason);
    if (changed.length === 0) throw actionNotPossible('This job has not failed, or is seen to already.');
    if (orderId) announceAfterCommit(trx, orderId);
  });
}
