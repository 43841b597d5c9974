import type { Router } from 'express';
import type { PaymentIntentCreated } from '../../core/orders.ts';
import { preparePayment } from '../../orders/prepare-payment.ts';
import type { SessionGuard } from '../account/session.ts';
import { allowOnly, noQuery } from '../http/request-guards.ts';
import { createRouter } from '../http/router.ts';
import type { ApiParts } from '../parts.ts';
import { limitOrders } from './order-limits.ts';
import { placeRequestedOrder } from './place-order.ts';

/** POST /api/create-payment-intent: an order and the PaymentIntent that pays it. */
export function paymentIntentRoutes(parts: ApiParts, guard: SessionGuard): Router {
  const router = createRouter();
  router
    .route('/create-payment-intent')
    .post(noQuery, guard.optional, limitOrders(parts.rateLimits), async (req, res) => {
      const { order, receipt } = await placeRequestedOrder(parts, req, 'stripe');
      const { clientSecret = '' } = await preparePayment(parts, order, req.id, receipt);
      const answer: PaymentIntentCreated = { clientSecret, orderId: order.id };
      res.set('Cache-Control', 'no-store').json(answer);
    })
    .all(allowOnly('POST'));
  return router;
}
