import { Router } from 'express';
import { messages } from '../../core/messages.ts';
import { fromDecimalString, toDecimalString } from '../../core/money.ts';
import { paypalOrderRequest } from '../../core/orders.ts';
import { databaseTime } from '../../db/database.ts';
import { attachPayment, findOrder, type Order, replacePayment } from '../../db/orders.ts';
import { findService } from '../../db/services.ts';
import { settleOrder } from '../../db/settlement.ts';
import { crashPoint } from '../../infra/crash-point.ts';
import { placeOrder } from '../../orders/place-order.ts';
import { requirePayable, switchedMeanwhile } from '../../orders/switch-payment.ts';
import { Conflict, NotFound } from '../http/errors.ts';
import { rateLimit } from '../http/rate-limit.ts';
import { allowOnly, noQuery } from '../http/request-guards.ts';
import { requestId } from '../http/request-id.ts';
import type { ApiParts } from '../parts.ts';
import { providerCall } from './provider-call.ts';

/** The PayPal calls of spec §7 up to PayPal's window: an order of ours, the browser's token, PayPal's order for ours. */
export function paypalOrderRoutes(parts: ApiParts): Router {
  const { paypal, rateLimits } = parts;
  const router = Router();

  router
    .route('/create-paypal-order')
    .post(noQuery, rateLimit(rateLimits, 'create-order'), async (req, res) => {
      const { order } = await placeOrder(parts, req, 'paypal');
      res.set('Cache-Control', 'no-store').json({ orderId: order.id });
    })
    .all(allowOnly('POST'));

  router
    .route('/paypal/setup')
    .get(noQuery, rateLimit(rateLimits, 'paypal-setup'), async (_req, res) => {
      const clientToken = await providerCall(messages.paypalUnavailable, () => paypal.clientToken());
      res.set('Cache-Control', 'no-store').json({ clientToken });
    })
    .all(allowOnly('GET'));

  router
    .route('/paypal/order')
    .post(noQuery, rateLimit(rateLimits, 'paypal-order'), async (req, res) => {
      const { orderId, amount } = paypalOrderRequest.parse(req.body);
      const order = await findOrder(parts.db, orderId);
      if (!order) throw new NotFound('There is no such order');
      if (order.paymentMethod !== 'paypal') throw new Conflict('orderId: This order is to be paid by card');
      requirePayable(order);
      requirePrice(order, amount);
      const id = await providerCall(messages.paypalOrderFailed, () =>
        preparePayment(parts, order, requestId(req)),
      );
      res.set('Cache-Control', 'no-store').json({ id });
    })
    .all(allowOnly('POST'));

  return router;
}

/** What is charged is the order's own amount (design §6); the client's is only compared. */
function requirePrice(order: Order, amount: string): void {
  if (fromDecimalString(amount) === order.amount) return;
  throw new Conflict(`amount: The price of this order is ${toDecimalString(order.amount)}`);
}

/**
 * The order's one payment at PayPal: the one that an earlier request made while the buyer can still use it, else a new one.
 */
async function preparePayment(parts: ApiParts, order: Order, request: string): Promise<string> {
  if (!order.paymentIntentId) return createPayment(parts, order);
  const report = await parts.paypal.report(order.paymentIntentId, await databaseTime(parts.db));
  if (report.stage !== 'closed') return order.paymentIntentId;
  const settled = await parts.outbox.transaction(request, (trx) =>
    settleOrder(
      trx,
      order.id,
      report.facts.filter((fact) => fact.kind === 'captured'),
      { by: 'confirm call', requestId: request },
    ),
  );
  if (settled) requirePayable({ ...order, status: settled.status });
  const replaced = await replacePayment(parts.db, order, 'paypal');
  if (!replaced) throw switchedMeanwhile();
  return createPayment(parts, replaced);
}

async function createPayment(parts: ApiParts, order: Order): Promise<string> {
  const { id, amount, currency, formerPaymentIds } = order;
  const service = await findService(parts.db, order.serviceId);
  const receipt = service?.name ?? 'Database consulting';
  const replaced = formerPaymentIds.length;
  const payment = await parts.paypal.createOrder({ id, amount, currency, receipt, replaced });
  crashPoint('after-provider-call');
  if (!(await attachPayment(parts.db, order, payment))) throw switchedMeanwhile();
  return payment;
}
