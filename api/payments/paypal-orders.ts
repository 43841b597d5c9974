import type { Router } from 'express';
import { messages } from '../../core/messages.ts';
import { CURRENCY, formatMoney, fromDecimalString } from '../../core/money.ts';
import { paypalOrderRequest } from '../../core/orders.ts';
import { askProvider } from '../../orders/ask-provider.ts';
import { priceChanged } from '../../orders/errors.ts';
import { findPayableOrder, preparePayment } from '../../orders/prepare-payment.ts';
import type { SessionGuard } from '../account/session.ts';
import { rateLimit } from '../http/rate-limit.ts';
import { allowOnly, noQuery } from '../http/request-guards.ts';
import { createRouter } from '../http/router.ts';
import type { ApiParts } from '../parts.ts';
import { limitOrders } from './order-limits.ts';
import { placeRequestedOrder } from './place-order.ts';

/** The calls before the buyer's approval: our order, the browser's token, PayPal's order. */
export function paypalOrderRoutes(parts: ApiParts, guard: SessionGuard): Router {
  const { gateways, rateLimits } = parts;
  const router = createRouter();

  router
    .route('/create-paypal-order')
    .post(noQuery, guard.optional, limitOrders(rateLimits), async (req, res) => {
      const { order } = await placeRequestedOrder(parts, req, 'paypal');
      res.set('Cache-Control', 'no-store').json({ orderId: order.id });
    })
    .all(allowOnly('POST'));

  router
    .route('/paypal/setup')
    .get(noQuery, rateLimit(rateLimits, 'paypal-setup'), async (_req, res) => {
      const clientToken = await askProvider(messages.paypalUnavailable, () => gateways.paypal.clientToken());
      res.set('Cache-Control', 'no-store').json({ clientToken });
    })
    .all(allowOnly('GET'));

  // What is charged is the order's own amount; the client's is only compared.
  router
    .route('/paypal/order')
    .post(noQuery, rateLimit(rateLimits, 'paypal-order'), async (req, res) => {
      const { orderId, amount } = paypalOrderRequest.parse(req.body);
      const order = await findPayableOrder(parts, orderId, 'paypal');
      if (fromDecimalString(amount) !== order.amount) {
        throw priceChanged('this order', formatMoney(order.amount, CURRENCY));
      }
      const { paymentId: id } = await preparePayment(parts, order, req.id);
      res.set('Cache-Control', 'no-store').json({ id });
    })
    .all(allowOnly('POST'));

  return router;
}
