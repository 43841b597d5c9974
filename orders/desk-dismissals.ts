import type { Dismissal } from '../core/desk-actions.ts';
import type { Staff } from '../core/staff.ts';
import { recordDeskAction } from '../db/desk-actions.ts';
import { dismissTransfer, findOrderOfTransfer } from '../db/failed-transfers.ts';
import { announceAfterCommit } from '../db/unit-of-work.ts';
import { actionNotPossible } from './errors.ts';
import type { OrderParts } from './parts.ts';
import { requireOperator } from './permissions.ts';

/**
 * Ends a failed payout or refund that staff have seen to. Recorded with who and why, also on the time line of the order that
 * it is about. An action that was taken before is not repeated.
 * @throws OrderError if the person may not, or it is dismissed already
 */
export async function dismissFailedTransfer(
  { outbox }: Pick<OrderParts, 'outbox'>,
  staff: Staff,
  { transferId, requestId, wanted }: { transferId: string; requestId: string; wanted: Dismissal },
): Promise<void> {
  requireOperator(staff);
  await outbox.transaction(requestId, async (trx) => {
    const orderId = await findOrderOfTransfer(trx, transferId);
    const done = { ...wanted, action: 'dismiss transfer', subject: transferId };
    if (!(await recordDeskAction(trx, staff, { ...done, ...(orderId && { orderId }) }))) return;
    if (!(await dismissTransfer(trx, transferId, wanted.reason))) {
      throw actionNotPossible('It is dismissed already, or gone.');
    }
    if (orderId) announceAfterCommit(trx, orderId);
  });
}
