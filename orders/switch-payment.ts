import type { PaymentMethod } from '../core/orders.ts';
import { type PaymentReport, tookMoney } from '../core/payment-reports.ts';
import { databaseTime } from '../db/database.ts';
import { type Order, replacePayment } from '../db/orders.ts';
import { enqueue } from '../db/outbox.ts';
import { hasOpenOperatorReport } from '../db/payment-events.ts';
import { crashPoint } from '../infra/crash-point.ts';
import { isOutage } from '../infra/outage.ts';
import { orderChanged, orderExpired, orderPaid, paymentInProgress } from './errors.ts';
import type { OrderParts } from './parts.ts';
import { receiveReport } from './receive-report.ts';

/** The order, to be paid by this method from now on. @throws OrderError if it is paid, being paid or expired */
export async function choosePayment(
  parts: OrderParts,
  order: Order,
  method: PaymentMethod,
  requestId: string,
): Promise<Order> {
  requirePayable(order);
  if (order.paymentMethod === method) return order;
  return switchPayment(parts, order, method, requestId);
}

/**
 * Lets the buyer pay the order another way. The order drops its payment before the provider cancels it, so that the
 * provider's report of the cancellation concerns a former payment. A job is enqueued in the same transaction, which cancels
 * the payment if this request does not get that far.
 * @throws OrderError if the order is paid, being paid or expired
 */
async function switchPayment(
  parts: OrderParts,
  order: Order,
  method: PaymentMethod,
  requestId: string,
): Promise<Order> {
  await requireUnpaid(parts, order, await askFormer(parts, order, 'report'), requestId);
  crashPoint('before-switch-commit');
  const replaced = await replaceCurrentPayment(parts, order, method, requestId);
  crashPoint('after-switch-commit');
  await requireUnpaid(parts, order, await askFormer(parts, order, 'cancelPayment'), requestId);
  crashPoint('after-switch-cancel');
  parts.logger.info({ orderId: order.id, from: order.paymentMethod, to: method }, 'payment method switched');
  return replaced;
}

/** The order without a payment, ready for a new one. @throws OrderError if it has changed since it was read */
export async function replaceCurrentPayment(
  parts: OrderParts,
  order: Order,
  method: PaymentMethod,
  requestId: string,
): Promise<Order> {
  const { id: orderId, paymentIntentId: paymentId, paymentMethod: provider } = order;
  return parts.outbox.transaction(requestId, async (trx) => {
    const replaced = await replacePayment(trx, order, method);
    // Staff may have canceled it: their report is in the inbox, and the worker applies it.
    if (!replaced || (await hasOpenOperatorReport(trx, orderId))) throw orderChanged();
    if (paymentId) {
      const payload = { orderId, paymentId, provider };
      await enqueue(trx, { name: 'cancel-payment', payload }, { delayMs: CANCEL_AFTER_MS });
    }
    return replaced;
  });
}

/** Gives this request time to cancel the payment itself. */
const CANCEL_AFTER_MS = 15_000;

/** @throws OrderError if the payment took money or is in progress; what the provider says goes into the inbox */
export async function requireUnpaid(
  parts: OrderParts,
  order: Order,
  payment: PaymentReport | undefined,
  requestId: string,
): Promise<void> {
  const isInProgress = payment?.facts.some((fact) => fact.kind === 'attempt' && fact.status === 'processing');
  if (!payment || !(isInProgress || tookMoney(payment))) return;
  await receiveReport(parts, order, payment, { source: 'confirm call', requestId });
  throw tookMoney(payment) ? orderPaid() : paymentInProgress();
}

/** @throws OrderError with the reason why the buyer cannot pay this order, or no longer */
export function requirePayable({ status }: Pick<Order, 'status'>): void {
  if (status === 'pending' || status === 'failed') return;
  if (status === 'processing') throw paymentInProgress();
  if (status === 'canceled') throw orderExpired();
  throw orderPaid();
}

async function askFormer(
  { db, gateways, logger }: OrderParts,
  order: Order,
  question: 'report' | 'cancelPayment',
): Promise<PaymentReport | undefined> {
  if (!order.paymentIntentId) return undefined;
  try {
    return await gateways[order.paymentMethod][question](order.paymentIntentId, await databaseTime(db));
  } catch (error) {
    // Buyers who switch because this provider is down must be able to pay. If this payment succeeds all the same, the
    // second one is refunded.
    if (!isOutage(error)) throw error;
    logger.warn({ err: error, orderId: order.id }, `former payment: ${question} failed; retrying by job`);
    return undefined;
  }
}
