import { Router } from 'express';
import { orderRequest, type PaymentIntentCreated } from '../../core/orders.ts';
import { placeOrder } from '../../orders/place-order.ts';
import { preparePayment } from '../../orders/prepare-payment.ts';
import type { SessionGuard } from '../account/session.ts';
import { limitRecipient } from '../http/rate-limit.ts';
import { allowOnly, noQuery } from '../http/request-guards.ts';
import { requestId } from '../http/request-id.ts';
import type { ApiParts } from '../parts.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import { limitOrders } from './order-limits.ts';

/** POST /api/create-payment-intent: an order and the PaymentIntent that pays it. */
export function paymentIntentRoutes(parts: ApiParts, guard: SessionGuard): Router {
  const router = Router();
  router
    .route('/create-payment-intent')
    .post(noQuery, guard.optional, limitOrders(parts.rateLimits), async (req, res) => {
      const request = orderRequest.parse(req.body);
      await limitRecipient(parts.rateLimits, 'order-recipient', request.customerEmail, res);
      const order = await placeOrder(parts, {
        ...request,
        paymentMethod: 'stripe',
        idempotencyKey: readIdempotencyKey(req),
        userId: req.session?.userId ?? null,
        requestId: requestId(req),
      });
      const { clientSecret = '' } = await preparePayment(parts, order, requestId(req));
      const answer: PaymentIntentCreated = { clientSecret, orderId: order.id };
      res.set('Cache-Control', 'no-store').json(answer);
    })
    .all(allowOnly('POST'));
  return router;
}
