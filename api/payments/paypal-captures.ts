import type { Router } from 'express';
import { confirmPaypalPaymentRequest, type PaypalCaptured, paypalOrderPath } from '../../core/orders.ts';
import { capturePayment, confirmPayment } from '../../orders/confirm-payment.ts';
import { rateLimit } from '../http/rate-limit.ts';
import { allowOnly, noQuery } from '../http/request-guards.ts';
import { createRouter } from '../http/router.ts';
import type { ApiParts } from '../parts.ts';

/** The calls after the buyer's approval: capture and confirm. Both ask PayPal. */
export function paypalCaptureRoutes(parts: ApiParts): Router {
  const router = createRouter();

  router
    .route('/paypal/order/:paypalOrderId/capture')
    .post(noQuery, rateLimit(parts.rateLimits, 'confirm-payment'), async (req, res) => {
      const { paypalOrderId: paymentId } = paypalOrderPath.parse(req.params);
      const request = { paymentId, provider: 'paypal', requestId: req.id } as const;
      const answer: PaypalCaptured = await capturePayment(parts, request);
      res.set('Cache-Control', 'no-store').json(answer);
    })
    .all(allowOnly('POST'));

  router
    .route('/confirm-paypal-payment')
    .post(noQuery, rateLimit(parts.rateLimits, 'confirm-payment'), async (req, res) => {
      const { orderId, paypalOrderId: paymentId } = confirmPaypalPaymentRequest.parse(req.body);
      const request = { orderId, paymentId, provider: 'paypal', requestId: req.id } as const;
      const status = await confirmPayment(parts, request);
      res.set('Cache-Control', 'no-store').json({ status });
    })
    .all(allowOnly('POST'));

  return router;
}
