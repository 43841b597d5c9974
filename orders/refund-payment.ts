import { randomUUID } from 'node:crypto';
import type { OrderAction } from '../core/desk-actions.ts';
import type { JobPayload } from '../core/jobs.ts';
import { formatMoney } from '../core/money.ts';
import { refundableOf } from '../core/refunds.ts';
import { databaseTime, type Transaction } from '../db/database.ts';
import { queueEmails } from '../db/emails.ts';
import { findOrder, type Order } from '../db/orders.ts';
import { enqueue } from '../db/outbox.ts';
import { hasOpenOperatorReport } from '../db/payment-events.ts';
import { listWaitingRefunds } from '../db/refunds.ts';
import { crashPoint } from '../infra/crash-point.ts';
import { PermanentFailure } from '../infra/retry.ts';
import { asRefundError } from '../providers/refund-unknown.ts';
import { RefundedElsewhere } from '../providers/refunded-elsewhere.ts';
import { actionNotPossible, orderChanged } from './errors.ts';
import type { JobRun, OrderParts } from './parts.ts';
import { providerOfCapture } from './provider-of.ts';
import { receiveReport, receiveReportIn } from './receive-report.ts';

/** Has a worker refund an amount in cents, under the order's lock. Waiting refunds count as made. @throws OrderError */
export async function requestRefund(
  trx: Transaction,
  order: Order,
  { key, paymentId, amount, left }: Extract<OrderAction, { action: 'refund' }>,
): Promise<void> {
  if (await hasOpenOperatorReport(trx, order.id)) throw orderChanged();
  const waiting = await listWaitingRefunds(trx, order.id);
  const refundable = refundableOf(order.facts, order.paymentMethod, waiting).find(
    (payment) => payment.paymentId === paymentId,
  );
  if ((refundable?.amount ?? 0) !== left) throw orderChanged();
  if (!refundable) throw actionNotPossible('Nothing of this payment can be refunded.');
  if (amount > left) {
    throw actionNotPossible(`At most ${formatMoney(left, refundable.currency)} can be refunded.`);
  }
  if (refundable.onlyInFull && amount < left) {
    const all = formatMoney(left, refundable.currency);
    throw actionNotPossible(`While a dispute is open, only a refund of all ${all} is possible.`);
  }
  const known = knownRefundsOf(order, paymentId);
  const payload = { orderId: order.id, paymentId, amount: String(amount), key, known };
  await enqueue(trx, { name: 'refund-payment', payload });
}

function knownRefundsOf({ facts }: Order, paymentId: string): string[] {
  const refunds = Object.entries(facts.refunds ?? {});
  return refunds.filter(([, refund]) => refund.paymentId === paymentId).map(([id]) => id);
}

/**
 * Refunds at the provider, once per key, and puts the provider's report into the inbox.
 * @throws RefundedElsewhere if the payment has a refund that was not known when this one was requested
 * @throws RefundUnknown if the provider may have made it or may still make it
 */
export async function refundPayment(
  parts: OrderParts,
  { orderId, paymentId, amount, ...request }: JobPayload<'refund-payment'>,
  run: JobRun,
): Promise<void> {
  const order = await findOrder(parts.db, orderId);
  const capture = order?.facts.captures[paymentId];
  if (!order || !capture)
    throw new PermanentFailure(`payment ${paymentId} does not belong to order ${orderId}`);
  const provider = providerOfCapture(order, paymentId);
  const gateway = parts.gateways[provider];
  const origin = { source: 'operator', provider } as const;
  const report = async () => gateway.report(paymentId, await databaseTime(parts.db));
  crashPoint('before-refund');
  try {
    const money = { amount: Number(amount), currency: capture.currency };
    await gateway.refundPart(paymentId, money, { ...request, failingForMs: run.failingForMs });
  } catch (error) {
    if (error instanceof RefundedElsewhere) {
      const requestId = run.requestId ?? randomUUID();
      await receiveReport(parts, order, await report(), { ...origin, requestId });
    }
    throw asRefundError(error);
  }
  crashPoint('after-refund');
  const after = await report();
  await run.complete(async (trx) => {
    await receiveReportIn(trx, order, after, origin);
  });
  run.logger.info({ orderId, paymentId, amount }, 'payment refunded by staff');
}

/** Alerts staff with the reason: refused, already refunded elsewhere, or unknown. */
export async function onRefundPaymentFailed(
  parts: OrderParts,
  { orderId, paymentId, amount, key }: JobPayload<'refund-payment'>,
  reason: string,
): Promise<void> {
  const order = await findOrder(parts.db, orderId);
  if (!order) return;
  const provider = providerOfCapture(order, paymentId);
  const why = whyNotMade[reason.split(':')[0] ?? ''] ?? 'refused';
  const params = { paymentId, provider, refundId: null, amount: Number(amount), reason, why } as const;
  const dedupeKey = [orderId, paymentId, key, ...(why === 'refused' ? [] : [why])].join(':');
  await parts.outbox.transaction(null, (trx) =>
    queueEmails(trx, [{ kind: 'refund_failed_alert', dedupeKey, params, orderId }]),
  );
}

/** Keyed by the name of the error that ended the job. */
const whyNotMade: Record<string, 'refunded_elsewhere' | 'unknown'> = {
  RefundedElsewhere: 'refunded_elsewhere',
  RefundUnknown: 'unknown',
};
