import type { JobPayload } from '../core/jobs.ts';
import { refundedOf, settlingPayment } from '../core/order-money.ts';
import { addFact, type PaymentFacts } from '../core/payment-facts.ts';
import { holdsMoney } from '../core/refunds.ts';
import { databaseTime } from '../db/database.ts';
import { queueEmails } from '../db/emails.ts';
import { findOrder, type Order } from '../db/orders.ts';
import { crashPoint } from '../infra/crash-point.ts';
import { PermanentFailure } from '../infra/retry.ts';
import type { JobRun, OrderParts } from './parts.ts';
import { providerOfCapture } from './provider-of.ts';
import { receiveReportIn } from './receive-report.ts';

/** The payment may be the only one that pays for the order. The dead letter keeps only an error's name and message. */
class NotDuplicate extends PermanentFailure {
  constructor(message: string) {
    super(message);
    this.name = 'NotDuplicate';
  }
}

/**
 * Refunds a second payment if the providers confirm that both succeeded; never the one that settles the order.
 * @throws NotDuplicate if only one took money, or the other one may lose it
 */
export async function refundDuplicate(
  parts: OrderParts,
  { orderId, paymentId }: JobPayload<'refund-duplicate'>,
  run: JobRun,
): Promise<void> {
  const order = await findOrder(parts.db, orderId);
  const settledBy = order && settlingPayment(order, order.facts);
  if (!order || !settledBy || !order.facts.captures[paymentId]) {
    throw new NotDuplicate(`order ${orderId} was not paid twice`);
  }
  if (settledBy === paymentId) return run.complete();
  const first = await confirmedFacts(parts, order, settledBy);
  const second = await confirmedFacts(parts, order, paymentId);
  if (!holdsMoney(first, settledBy)) {
    throw new NotDuplicate(`payment ${settledBy} of order ${orderId} holds no money, or is disputed`);
  }
  crashPoint('before-refund');
  const taken = second.captures[paymentId]?.amount ?? 0;
  if (refundedOf(second, paymentId) < taken)
    await gatewayOf(parts, order, paymentId).refundPayment(paymentId);
  crashPoint('after-refund');
  const after = await report(parts, order, paymentId);
  await run.complete(async (trx) => {
    const provider = providerOfCapture(order, paymentId);
    await receiveReportIn(trx, order, after, { source: 'reconciliation', provider });
  });
  run.logger.info({ orderId, paymentId }, 'duplicate payment refunded');
}

/** Staff have to refund it in the provider's dashboard, or to decide whether it pays for the order. */
export async function onRefundDuplicateFailed(
  parts: OrderParts,
  { orderId, paymentId }: JobPayload<'refund-duplicate'>,
  reason: string,
): Promise<void> {
  const order = await findOrder(parts.db, orderId);
  const capture = order?.facts.captures[paymentId];
  if (!order || !capture) return;
  const provider = providerOfCapture(order, paymentId);
  const why = reason.startsWith('NotDuplicate:') ? 'not_duplicate' : 'refused';
  const params = { paymentId, provider, refundId: null, amount: capture.amount, reason, why } as const;
  // A refused job may be retried and then end for the other reason.
  const dedupeKey = `${orderId}:${paymentId}${why === 'refused' ? '' : `:${why}`}`;
  await parts.outbox.transaction(null, (trx) =>
    queueEmails(trx, [{ kind: 'refund_failed_alert', dedupeKey, params, orderId }]),
  );
}

/** The order's known facts, but only the captures that the provider confirms. */
async function confirmedFacts(parts: OrderParts, order: Order, paymentId: string): Promise<PaymentFacts> {
  const { facts, metadata } = await report(parts, order, paymentId);
  const known = { ...order.facts, captures: {} };
  return metadata.orderId === order.id ? facts.reduce(addFact, known) : known;
}

async function report(parts: OrderParts, order: Order, paymentId: string) {
  const now = await databaseTime(parts.db);
  return gatewayOf(parts, order, paymentId).report(paymentId, now, { withDisputes: true });
}

function gatewayOf(parts: OrderParts, order: Order, paymentId: string) {
  return parts.gateways[providerOfCapture(order, paymentId)];
}
