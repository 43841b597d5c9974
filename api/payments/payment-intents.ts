import { Router } from 'express';
import { orderRequest, type PaymentIntentCreated } from '../../core/orders.ts';
import { placeOrder } from '../../orders/place-order.ts';
import { preparePayment } from '../../orders/prepare-payment.ts';
import type { SessionGuard } from '../account/session.ts';
import { rateLimit } from '../http/rate-limit.ts';
import { allowOnly, noQuery } from '../http/request-guards.ts';
import { requestId } from '../http/request-id.ts';
import type { ApiParts } from '../parts.ts';
import { readIdempotencyKey } from './idempotency-key.ts';

/** POST /api/create-payment-intent: an order and the PaymentIntent that pays it. */
export function paymentIntentRoutes(parts: ApiParts, guard: SessionGuard): Router {
  const router = Router();
  router
    .route('/create-payment-intent')
    .post(noQuery, guard.optional, rateLimit(parts.rateLimits, 'create-order'), async (req, res) => {
      const order = await placeOrder(parts, {
        ...orderRequest.parse(req.body),
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
