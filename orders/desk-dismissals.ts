import type { PlainAction } from '../core/desk-actions.ts';
import type { Staff } from '../core/staff.ts';
import type { Transaction } from '../db/database.ts';
import { dismissEmail, findEmail, resendRefusedEmail } from '../db/emails.ts';
import { dismissTransfer, findOrderOfTransfer } from '../db/failed-transfers.ts';
import { notifyOrder } from '../db/order-notices.ts';
import { actionNotPossible } from './errors.ts';
import type { OrderParts } from './parts.ts';
import { requireOperator } from './permissions.ts';
import { recordAction } from './record-action.ts';

/** What staff can end: how to find the order it is about, and how to end it (false if it is not open). */
interface Ending {
  action: string;
  findOrder: (trx: Transaction, id: string) => Promise<string | null | undefined>;
  end: (trx: Transaction, id: string, reason: string) => Promise<boolean>;
}

const findOrderOfEmail: Ending['findOrder'] = async (trx, id) => (await findEmail(trx, id))?.orderId;

const endings = {
  dismissTransfer: { action: 'dismiss transfer', findOrder: findOrderOfTransfer, end: dismissTransfer },
  dismissEmail: { action: 'dismiss e-mail', findOrder: findOrderOfEmail, end: dismissEmail },
  resendEmail: { action: 'resend e-mail', findOrder: findOrderOfEmail, end: resendRefusedEmail },
} satisfies Record<string, Ending>;
export type EndingName = keyof typeof endings;

/**
 * Dismisses a failed payout or refund, or a refused e-mail, or sends the e-mail again. Recorded with person and reason, also
 * on its order's timeline. Idempotent by key.
 * @throws OrderError if the person is not allowed to, or it is not open
 */
export async function endConcern(
  { outbox }: Pick<OrderParts, 'outbox'>,
  staff: Staff,
  what: { ending: EndingName; id: string; requestId: string; wanted: PlainAction },
): Promise<void> {
  requireOperator(staff);
  const { ending, id, requestId, wanted } = what;
  const { action, findOrder, end }: Ending = endings[ending];
  await outbox.transaction(requestId, async (trx) => {
    const orderId = await findOrder(trx, id);
    const done = { ...wanted, action, subject: id, ...(orderId && { orderId }) };
    if (!(await recordAction(trx, staff, done))) return;
    if (!(await end(trx, id, wanted.reason)))
      throw actionNotPossible('It is already dismissed or sent again, or no longer exists.');
    if (orderId) await notifyOrder(trx, orderId);
  });
}
