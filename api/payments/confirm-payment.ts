import { Router } from 'express';
import { messages } from '../../core/messages.ts';
import { confirmPaymentRequest } from '../../core/orders.ts';
import { databaseTime } from '../../db/database.ts';
import { findOrder } from '../../db/orders.ts';
import { settleOrder } from '../../db/settlement.ts';
import { Conflict, NotFound } from '../http/errors.ts';
import { rateLimit } from '../http/rate-limit.ts';
import { allowOnly, noQuery } from '../http/request-guards.ts';
import { requestId } from '../http/request-id.ts';
import type { ApiParts } from '../parts.ts';
import { providerCall } from './provider-call.ts';

/** POST /api/confirm-payment (spec §7): never believes the browser, asks Stripe for the intent. */
export function confirmPaymentRoutes(parts: ApiParts): Router {
  const { db, outbox, stripe, rateLimits } = parts;
  const router = Router();
  router
    .route('/confirm-payment')
    .post(noQuery, rateLimit(rateLimits, 'confirm-payment'), async (req, res) => {
      const { orderId, paymentIntentId } = confirmPaymentRequest.parse(req.body);
      const order = await findOrder(db, orderId);
      if (!order) throw new NotFound('There is no such order');
      if (order.paymentIntentId && order.paymentIntentId !== paymentIntentId) throw notThisOrders();

      const observedAt = await databaseTime(db);
      const report = await providerCall(messages.stripeUnavailable, () =>
        stripe.report(paymentIntentId, observedAt),
      );
      if (report.metadata.orderId !== orderId) throw notThisOrders();

      const settled = await outbox.transaction(requestId(req), async (trx) => {
        return settleOrder(trx, orderId, report.facts, {
          by: 'confirm call',
          paymentIntentId,
          requestId: requestId(req),
        });
      });
      res.set('Cache-Control', 'no-store').json({ status: settled?.status ?? order.status });
    })
    .all(allowOnly('POST'));
  return router;
}

function notThisOrders(): Conflict {
  return new Conflict('paymentIntentId: This payment belongs to another order');
}
