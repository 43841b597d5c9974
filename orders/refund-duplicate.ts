import type { JobPayload } from '../core/jobs.ts';
import { settlingPayment } from '../core/order-money.ts';
import { addFact, NO_FACTS } from '../core/payment-facts.ts';
import { refundedOf } from '../core/refunds.ts';
import { databaseTime } from '../db/database.ts';
import { queueEmails } from '../db/emails.ts';
import { findOrder, type Order } from '../db/orders.ts';
import { crashPoint } from '../infra/crash-point.ts';
import { PermanentFailure } from '../infra/retry.ts';
import type { JobRun, OrderParts } from './parts.ts';
import { providerOfCapture } from './provider-of.ts';
import { receiveReportIn } from './receive-report.ts';

/**
 * Refunds a second payment if the providers confirm that both succeeded; never the one that settles the order.
 * @throws PermanentFailure if only one took money
 */
export async function refundDuplicate(
  parts: OrderParts,
  { orderId, paymentId }: JobPayload<'refund-duplicate'>,
  run: JobRun,
): Promise<void> {
  const order = await findOrder(parts.db, orderId);
  const settledBy = order && settlingPayment(order, order.facts);
  if (!order || !settledBy || !order.facts.captures[paymentId]) {
    throw new PermanentFailure(`order ${orderId} was not paid twice`);
  }
  if (settledBy === paymentId) return run.complete();
  const first = await holdsMoney(parts, order, settledBy);
  const second = await holdsMoney(parts, order, paymentId);
  if (!first) throw new PermanentFailure(`payment ${settledBy} of order ${orderId} holds no money`);
  crashPoint('before-refund');
  if (second) await gatewayOf(parts, order, paymentId).refundPayment(paymentId);
  crashPoint('after-refund');
  const after = await report(parts, order, paymentId);
  await run.complete(async (trx) => {
    const provider = providerOfCapture(order, paymentId);
    await receiveReportIn(trx, order, after, { source: 'reconciliation', provider });
  });
  run.logger.info({ orderId, paymentId }, 'duplicate payment refunded');
}

/** The buyer still waits for the money: staff have to refund it in the provider's dashboard. */
export async function onRefundDuplicateFailed(
  parts: OrderParts,
  { orderId, paymentId }: JobPayload<'refund-duplicate'>,
  reason: string,
): Promise<void> {
  const order = await findOrder(parts.db, orderId);
  const capture = order?.facts.captures[paymentId];
  if (!order || !capture) return;
  const provider = providerOfCapture(order, paymentId);
  const params = { paymentId, provider, refundId: null, amount: capture.amount, reason };
  await parts.outbox.transaction(null, (trx) =>
    queueEmails(trx, [
      { kind: 'refund_failed_alert', dedupeKey: `${orderId}:${paymentId}`, params, orderId },
    ]),
  );
}

/** Whether the payment took money for this order and has not returned all of it. */
async function holdsMoney(parts: OrderParts, order: Order, paymentId: string): Promise<boolean> {
  const { facts: reported, metadata } = await report(parts, order, paymentId);
  if (metadata.orderId !== order.id) return false;
  const facts = reported.reduce(addFact, NO_FACTS);
  const capture = facts.captures[paymentId];
  return capture !== undefined && refundedOf(facts, paymentId) < capture.amount;
}

async function report(parts: OrderParts, order: Order, paymentId: string) {
  return gatewayOf(parts, order, paymentId).report(paymentId, await databaseTime(parts.db));
}

function gatewayOf(parts: OrderParts, order: Order, paymentId: string) {
  return parts.gateways[providerOfCapture(order, paymentId)];
}
