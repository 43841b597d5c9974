import { messages } from '../core/messages.ts';
import type { PayableOrder, PaymentMethod } from '../core/orders.ts';
import { databaseTime } from '../db/database.ts';
import { attachPayment, findOrder, type Order } from '../db/orders.ts';
import { findService } from '../db/services.ts';
import { crashPoint } from '../infra/crash-point.ts';
import type { Payment } from '../providers/gateway.ts';
import { askProvider } from './ask-provider.ts';
import { orderChanged, orderNotFound, otherPaymentMethod } from './errors.ts';
import type { OrderParts } from './parts.ts';
import { choosePayment, replaceCurrentPayment, requirePayable, requireUnpaid } from './switch-payment.ts';

const unavailable: Record<PaymentMethod, string> = {
  stripe: messages.stripeUnavailable,
  paypal: messages.paypalOrderFailed,
};

/** The order that is to be paid this way. @throws OrderError */
export async function findPayableOrder(
  { db }: Pick<OrderParts, 'db'>,
  orderId: string,
  method: PaymentMethod,
): Promise<Order> {
  const order = await findOrder(db, orderId);
  if (!order) throw orderNotFound();
  if (order.paymentMethod !== method) throw otherPaymentMethod(order.paymentMethod);
  requirePayable(order);
  return order;
}

/**
 * Lets any caller that knows the order's id pay it: the id is a capability, and paying reveals no more than the order's page.
 * A PayPal payment is created by a separate call, when the buyer presses the PayPal button.
 * @throws OrderError
 */
export async function payOrder(
  parts: OrderParts,
  request: { orderId: string; paymentMethod: PaymentMethod; requestId: string },
): Promise<PayableOrder> {
  const { orderId, paymentMethod, requestId } = request;
  const found = await findOrder(parts.db, orderId);
  if (!found) throw orderNotFound();
  const order = await choosePayment(parts, found, paymentMethod, requestId);
  if (paymentMethod === 'paypal') return { orderId };
  const { clientSecret } = await preparePayment(parts, order, requestId);
  return { orderId, clientSecret };
}

/**
 * The order's one payment at its provider: the one that an earlier request created (perhaps interrupted) if the buyer can
 * still use it, otherwise a new one. `receipt` saves looking up what the buyer's receipt calls the order.
 * @throws OrderError
 */
export async function preparePayment(
  parts: OrderParts,
  order: Order,
  requestId: string,
  receipt?: string,
): Promise<Payment> {
  return askProvider(unavailable[order.paymentMethod], async () => {
    const { paymentIntentId } = order;
    if (!paymentIntentId) return createPayment(parts, order, receipt);
    const gateway = parts.gateways[order.paymentMethod];
    const report = await gateway.report(paymentIntentId, await databaseTime(parts.db));
    await requireUnpaid(parts, order, report, requestId);
    if (report.stage !== 'closed') return report;
    return createPayment(parts, await replaceCurrentPayment(parts, order, order.paymentMethod, requestId));
  });
}

async function createPayment(parts: OrderParts, order: Order, receipt?: string): Promise<Payment> {
  const { id, amount, currency, formerPaymentIds, serviceId, paymentMethod } = order;
  crashPoint('before-provider-call');
  const payment = await parts.gateways[paymentMethod].createPayment({
    id,
    amount,
    currency,
    receipt: receipt ?? (await findService(parts.db, serviceId))?.name ?? 'Database consulting',
    formerPaymentIds,
  });
  crashPoint('after-provider-call');
  if (!(await attachPayment(parts.db, order, payment.paymentId))) throw orderChanged();
  crashPoint('after-attach');
  return payment;
}
