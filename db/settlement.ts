import { type OrderEffect, type Settlement, settle, unsettledStatuses } from '../core/order-lifecycle.ts';
import type { PaymentFact } from '../core/payment-facts.ts';
import type { Transaction } from './database.ts';
import { type EmailRequest, queueEmails } from './emails.ts';
import { lockOrder, type Order } from './orders.ts';
import { announceAfterCommit, enqueue, noteMoves } from './outbox.ts';

/** Who moves the order; the history row says so. */
export interface Cause {
  by: 'webhook' | 'confirm call' | 'capture call' | 'reconciliation' | 'expiry' | 'operator';
  paymentEventId?: string;
  /** The payment that the facts are about: remembered if the order knows none yet. */
  paymentIntentId?: string;
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
  await saveState(trx, order, settlement, cause);
  await queueEmails(
    trx,
    settlement.effects.flatMap((effect) => mailsFor(order, effect)),
  );
  for (const effect of settlement.effects) {
    if (effect.kind !== 'duplicate_capture') continue;
    const payload = { orderId, captureId: effect.captureId };
    await enqueue(trx, { name: 'refund-duplicate-capture', payload });
  }
  return { ...settlement, before: order };
}

/** State and history in one statement: this is the hottest path of the worker. */
async function saveState(trx: Transaction, order: Order, next: Settlement, cause: Cause): Promise<void> {
  const visible = next.moves.length > 0 || next.amountRefunded !== order.amountRefunded;
  if (visible) announceAfterCommit(trx, order.id);
  noteMoves(
    trx,
    next.moves.map((move) => ({ ...move, orderId: order.id, by: cause.by })),
  );
  await trx.raw(
    `with saved as (
       update orders set status = :status, payment_facts = :facts, amount_refunded = :amountRefunded,
         failure_reason = :failureReason,
         payment_intent_id = coalesce(payment_intent_id, :paymentIntentId),
         paid_at = case when :becamePaid then coalesce(paid_at, now()) else paid_at end,
         next_check_at = case when :unsettled then next_check_at end,
         updated_at = now()
       where id = :id)
     insert into order_history (order_id, from_status, to_status, cause, payment_event_id, request_id)
     select :id, "from", "to", :by, :paymentEventId, :requestId
     from json_to_recordset(:moves) as move("from" text, "to" text)`,
    {
      id: order.id,
      status: next.status,
      facts: JSON.stringify(next.facts),
      amountRefunded: next.amountRefunded,
      failureReason: next.status === 'failed' ? (next.facts.attempt?.reason ?? null) : null,
      paymentIntentId: cause.paymentIntentId ?? null,
      becamePaid: next.moves.some((move) => move.to === 'paid'),
      unsettled: (unsettledStatuses as readonly string[]).includes(next.status),
      moves: JSON.stringify(next.moves),
      by: cause.by,
      paymentEventId: cause.paymentEventId ?? null,
      requestId: cause.requestId ?? null,
    },
  );
}

/** The mails that an effect asks for. */
function mailsFor(order: Order, effect: OrderEffect): EmailRequest[] {
  const { id } = order;
  switch (effect.kind) {
    case 'paid':
      return [
        { kind: 'order_confirmation', subjectId: id },
        { kind: 'order_notice', subjectId: id },
      ];
    case 'payment_failed':
      return [{ kind: 'payment_failed', subjectId: id, delayMs: PAYMENT_FAILED_MAIL_DELAY_MS }];
    case 'refunded':
      return [{ kind: 'refund_notice', subjectId: `${id}:${effect.total}` }];
    case 'dispute_opened':
      return [{ kind: 'dispute_notice', subjectId: `${id}:${effect.disputeId}:opened` }];
    case 'dispute_closed':
      return [{ kind: 'dispute_notice', subjectId: `${id}:${effect.disputeId}:closed` }];
    case 'capture_mismatch':
      return [{ kind: 'review_alert', subjectId: `${id}:${effect.captureId}` }];
    case 'duplicate_capture':
      return [{ kind: 'duplicate_payment_alert', subjectId: `${id}:${effect.captureId}` }];
  }
}

/** A declined card is usually tried again at once; the mail is for those who went away (it is dropped if they paid). */
const PAYMENT_FAILED_MAIL_DELAY_MS = 10 * 60_000;
