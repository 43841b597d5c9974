import { ORDER_CHANGED } from '../core/jobs.ts';
import { type OrderEffect, type Settlement, settle, unsettledStatuses } from '../core/order-lifecycle.ts';
import type { PaymentFact } from '../core/payment-facts.ts';
import type { Transaction } from './database.ts';
import { queueEmail } from './emails.ts';
import { lockOrder, type Order } from './orders.ts';
import { enqueue } from './outbox.ts';

/** Who moves the order; the history row says so. */
export interface Cause {
  by: 'webhook' | 'confirm call' | 'capture call' | 'reconciliation' | 'expiry' | 'operator';
  paymentEventId?: string;
  requestId?: string | null;
}

/**
 * The one function that moves an order, whoever calls (design §6): locks the row, lets the pure rule decide, and
 * writes the new state, its history, the mails and jobs that follow and the live notice in the caller's transaction.
 * Returns undefined if there is no such order.
 */
export async function settleOrder(
  trx: Transaction,
  orderId: string,
  facts: readonly PaymentFact[],
  cause: Cause,
): Promise<(Settlement & { before: Order }) | undefined> {
  const order = await lockOrder(trx, orderId);
  if (!order) return undefined;
  const settlement = settle(order, facts);
  await saveState(trx, order, settlement);
  await writeHistory(trx, order, settlement, cause);
  for (const effect of settlement.effects) await carryOut(trx, order, effect);
  return { ...settlement, before: order };
}

async function saveState(trx: Transaction, order: Order, next: Settlement): Promise<void> {
  const unsettled = (unsettledStatuses as readonly string[]).includes(next.status);
  const becamePaid = next.moves.some((move) => move.to === 'paid');
  await trx('orders')
    .where({ id: order.id })
    .update({
      status: next.status,
      payment_facts: JSON.stringify(next.facts),
      amount_refunded: next.amountRefunded,
      failure_reason: next.status === 'failed' ? (next.facts.attempt?.reason ?? null) : null,
      ...(becamePaid && !order.paidAt ? { paid_at: trx.fn.now() } : {}),
      ...(unsettled ? {} : { next_check_at: null }),
      updated_at: trx.fn.now(),
    });
  const visible = next.moves.length > 0 || next.amountRefunded !== order.amountRefunded;
  if (visible) await trx.raw('select pg_notify(?, ?)', [ORDER_CHANGED, order.id]);
}

async function writeHistory(trx: Transaction, order: Order, next: Settlement, cause: Cause): Promise<void> {
  if (next.moves.length === 0) return;
  await trx('order_history').insert(
    next.moves.map((move) => ({
      order_id: order.id,
      from_status: move.from,
      to_status: move.to,
      cause: cause.by,
      payment_event_id: cause.paymentEventId ?? null,
      request_id: cause.requestId ?? null,
    })),
  );
}

async function carryOut(trx: Transaction, order: Order, effect: OrderEffect): Promise<void> {
  switch (effect.kind) {
    case 'paid':
      await queueEmail(trx, 'order_confirmation', order.id);
      await queueEmail(trx, 'order_notice', order.id);
      return;
    case 'payment_failed':
      return queueEmail(trx, 'payment_failed', order.id, PAYMENT_FAILED_MAIL_DELAY_MS);
    case 'refunded':
      return queueEmail(trx, 'refund_notice', `${order.id}:${effect.total}`);
    case 'dispute_opened':
      return queueEmail(trx, 'dispute_notice', `${order.id}:${effect.disputeId}:opened`);
    case 'dispute_closed':
      return queueEmail(trx, 'dispute_notice', `${order.id}:${effect.disputeId}:closed`);
    case 'capture_mismatch':
      return queueEmail(trx, 'review_alert', `${order.id}:${effect.captureId}`);
    case 'duplicate_capture':
      await queueEmail(trx, 'duplicate_payment_alert', `${order.id}:${effect.captureId}`);
      return enqueue(trx, {
        name: 'refund-duplicate-capture',
        payload: { orderId: order.id, captureId: effect.captureId },
      });
  }
}

/** A declined card is usually tried again at once; the mail is for those who went away (it is dropped if they paid). */
const PAYMENT_FAILED_MAIL_DELAY_MS = 10 * 60_000;
