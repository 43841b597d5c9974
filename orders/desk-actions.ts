import { needsFreshSignIn, type OrderAction } from '../core/desk-actions.ts';
import type { Staff } from '../core/staff.ts';
import type { Transaction } from '../db/database.ts';
import type { NewDeskAction } from '../db/desk-actions.ts';
import { findEmail, resendEmail } from '../db/emails.ts';
import { notifyOrder } from '../db/order-notices.ts';
import { lockOrder, type Order } from '../db/orders.ts';
import { enqueue } from '../db/outbox.ts';
import { findEvent, hasOpenOperatorReport } from '../db/payment-events.ts';
import { requestCancellation } from './cancel-order.ts';
import { actionNotPossible, orderChanged, orderNotFound } from './errors.ts';
import { requestKeeping } from './keep-payment.ts';
import { canBeDecided, decideOrder, replayEvent } from './operator.ts';
import type { OrderParts } from './parts.ts';
import { requireFreshOperator, requireOperator } from './permissions.ts';
import { recordAction } from './record-action.ts';
import { requestRefund } from './refund-payment.ts';

type ActionOf<N extends OrderAction['action']> = Extract<OrderAction, { action: N }>;

/**
 * Does what a member of staff asks for, and records who and why in the same transaction. Calls to a provider are left to the
 * worker, whose results go through the inbox like any other. Idempotent by key.
 * @throws OrderError if the person is not allowed to, or the order does not (or no longer) allow it
 */
export async function actOnOrder(
  parts: Pick<OrderParts, 'db' | 'outbox'>,
  staff: Staff,
  request: { orderId: string; requestId: string; wanted: OrderAction },
): Promise<void> {
  const { orderId, requestId, wanted } = request;
  if (needsFreshSignIn[wanted.action]) requireFreshOperator(staff);
  else requireOperator(staff);
  await parts.outbox.transaction(requestId, async (trx) => {
    // If two operators act at once, the second waits and sees the result of the first.
    const order = await lockOrder(trx, orderId);
    if (!order) throw orderNotFound();
    if (!(await recordAction(trx, staff, recordOf(order, wanted)))) return;
    if ('seen' in wanted && wanted.seen !== order.status) throw orderChanged();
    await perform(trx, order, wanted);
    await notifyOrder(trx, orderId);
  });
}

function recordOf({ id: orderId }: Order, wanted: OrderAction): NewDeskAction {
  const { action, key, reason, ...details } = wanted;
  const subject = action === 'resend' ? wanted.emailId : action === 'replay' ? wanted.eventId : undefined;
  return { key, action, reason, orderId, details, ...(subject && { subject }) };
}

async function perform(trx: Transaction, order: Order, wanted: OrderAction): Promise<void> {
  switch (wanted.action) {
    case 'note':
      return;
    case 'check':
      return enqueue(trx, { name: 'reconcile-order', payload: { orderId: order.id } });
    case 'replay':
      return replay(trx, order, wanted);
    case 'resend':
      return resend(trx, order, wanted);
    case 'decide':
      return decide(trx, order, wanted);
    case 'refund':
      return requestRefund(trx, order, wanted);
    case 'keep':
      return requestKeeping(trx, order, wanted);
    case 'cancel':
      return requestCancellation(trx, order);
  }
}

async function replay(trx: Transaction, order: Order, { eventId }: ActionOf<'replay'>): Promise<void> {
  const event = await findEvent(trx, eventId);
  if (event?.orderId !== order.id) throw actionNotPossible('This event belongs to another order.');
  if (!(await replayEvent(trx, eventId)))
    throw actionNotPossible('Its content was removed. Check with the provider instead.');
}

async function resend(trx: Transaction, order: Order, { emailId }: ActionOf<'resend'>): Promise<void> {
  const email = await findEmail(trx, emailId);
  if (email?.orderId !== order.id) throw actionNotPossible('This e-mail belongs to another order.');
  if (!(await resendEmail(trx, emailId))) throw actionNotPossible('This e-mail is still on its way.');
}

async function decide(trx: Transaction, order: Order, { status }: ActionOf<'decide'>): Promise<void> {
  if (await hasOpenOperatorReport(trx, order.id)) throw orderChanged();
  if (!canBeDecided(order)) throw actionNotPossible('Only orders under review can be decided.');
  await decideOrder(trx, order, status);
}
