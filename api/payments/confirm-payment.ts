import type { Router } from 'express';
import { confirmPaymentRequest } from '../../core/orders.ts';
import { confirmPayment } from '../../orders/confirm-payment.ts';
import { rateLimit } from '../http/rate-limit.ts';
import { allowOnly, noQuery } from '../http/request-guards.ts';
import { createRouter } from '../http/router.ts';
import type { ApiParts } from '../parts.ts';

/** POST /api/confirm-payment: what the server knows about the payment now. */
export function confirmPaymentRoutes(parts: ApiParts): Router {
  const router = createRouter();
  router
    .route('/confirm-payment')
    .post(noQuery, rateLimit(parts.rateLimits, 'confirm-payment'), async (req, res) => {
      const { orderId, paymentIntentId: paymentId } = confirmPaymentRequest.parse(req.body);
      const request = { orderId, paymentId, provider: 'stripe', requestId: req.id } as const;
      const status = await confirmPayment(parts, request);
      res.set('Cache-Control', 'no-store').json({ status });
    })
    .all(allowOnly('POST'));
  return router;
}
