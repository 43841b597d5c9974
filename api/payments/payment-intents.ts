import { Router } from 'express';
import { messages } from '../../core/messages.ts';
import type { PaymentIntentCreated } from '../../core/orders.ts';
import { attachPayment, type Order } from '../../db/orders.ts';
import { crashPoint } from '../../infra/crash-point.ts';
import { placeOrder } from '../../orders/place-order.ts';
import { switchedMeanwhile } from '../../orders/switch-payment.ts';
import { rateLimit } from '../http/rate-limit.ts';
import { allowOnly, noQuery } from '../http/request-guards.ts';
import type { ApiParts } from '../parts.ts';
import { providerCall } from './provider-call.ts';

/** POST /api/create-payment-intent (spec §7): an order and the PaymentIntent that pays it. */
export function paymentIntentRoutes(parts: ApiParts): Router {
  const router = Router();
  router
    .route('/create-payment-intent')
    .post(noQuery, rateLimit(parts.rateLimits, 'create-order'), async (req, res) => {
      const { order, service } = await placeOrder(parts, req, 'stripe');
      const clientSecret = await providerCall(messages.stripeUnavailable, () =>
        preparePayment(parts, order, service.name),
      );
      const answer: PaymentIntentCreated = { clientSecret, orderId: order.id };
      res.set('Cache-Control', 'no-store').json(answer);
    })
    .all(allowOnly('POST'));
  return router;
}

/** The order's one PaymentIntent: made now, or the one that an earlier, perhaps interrupted, request made. */
async function preparePayment(parts: ApiParts, order: Order, serviceName: string): Promise<string> {
  if (order.paymentIntentId) return parts.stripe.retrieveClientSecret(order.paymentIntentId);
  const { id, amount, currency } = order;
  const replaced = order.formerPaymentIds.length;
  const intent = await parts.stripe.createPaymentIntent({
    id,
    amount,
    currency,
    receipt: serviceName,
    replaced,
  });
  crashPoint('after-provider-call');
  if (!(await attachPayment(parts.db, order, intent.id))) throw switchedMeanwhile();
  return intent.clientSecret;
}
