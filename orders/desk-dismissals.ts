import type { PlainAction } from '../core/desk-actions.ts';
import type { Staff } from '../core/staff.ts';
import type { Transaction } from '../db/database.ts';
import { dismissEmail, findEmail } from '../db/emails.ts';
import { dismissTransfer, findOrderOfTransfer } from '../db/failed-transfers.ts';
import { addAfterCommit } from '../db/unit-of-work.ts';
import { actionNotPossible } from './errors.ts';
import type { OrderParts } from './parts.ts';
import { requireOperator } from './permissions.ts';
import { recordAction } from './record-action.ts';

/** What staff can dismiss: how to find the order it is about, and how to end it (false if it is not open). */
interface Dismissible {
  action: string;
  findOrder: (trx: Transaction, id: string) => Promise<string | null | undefined>;
  end: (trx: Transaction, id: string, reason: string) => Promise<boolean>;
}

const dismissibles = {
  transfer: { action: 'dismiss transfer', findOrder: findOrderOfTransfer, end: dismissTransfer },
  email: {
    action: 'dismiss e-mail',
    findOrder: async (trx, id) => (await findEmail(trx, id))?.orderId,
    end: dismissEmail,
  },
} satisfies Record<string, Dismissible>;

/**
 * Dismisses a failed payout or refund, or a refused e-mail. Recorded with person and reason, also on its order's timeline.
 * Idempotent by key.
 * @throws OrderError if the person is not allowed to, or it is not open
 */
export async function dismiss(
  { outbox }: Pick<OrderParts, 'outbox'>,
  staff: Staff,
  what: { kind: keyof typeof dismissibles; id: string; requestId: string; wanted: PlainAction },
): Promise<void> {
  requireOperator(staff);
  const { kind, id, requestId, wanted } = what;
  const { action, findOrder, end }: Dismissible = dismissibles[kind];
  await outbox.transaction(requestId, async (trx) => {
    const orderId = await findOrder(trx, id);
    const done = { ...wanted, action, subject: id, ...(orderId && { orderId }) };
    if (!(await recordAction(trx, staff, done))) return;
    if (!(await end(trx, id, wanted.reason)))
      throw actionNotPossible('It is already dismissed, or no longer exists.');
    if (orderId) addAfterCommit(trx, { changedOrders: [orderId] });
  });
}
