import { z } from 'zod';
import { signPaypal } from '../paypal.ts';
import { sign } from '../stripe-events.ts';
import type { Target } from './target.ts';
import { pick, type World } from './world.ts';

const stripeEvent = z.object({
  id: z.string().regex(/^evt_[a-z0-9]{16,30}$/),
  type: z.enum([
    'payment_intent.succeeded',
    'payment_intent.processing',
    'payment_intent.payment_failed',
    'charge.refunded',
    'charge.dispute.created',
    'customer.created',
  ]),
  object: z.literal('event'),
  created: z.int().positive(),
  data: z.record(z.string(), z.unknown()),
});

const paypalEvent = z.object({
  id: z.string().regex(/^WH-[A-Z0-9]{16,30}$/),
  event_type: z.enum([
    'PAYMENT.CAPTURE.COMPLETED',
    'PAYMENT.CAPTURE.DENIED',
    'CHECKOUT.ORDER.APPROVED',
    'CUSTOMER.DISPUTE.CREATED',
    'BILLING.PLAN.CREATED',
  ]),
  create_time: z.iso.datetime(),
  resource: z.record(z.string(), z.unknown()),
});

function intent(world: World, salt: number): object {
  const order = pick(world.cardOrders, salt);
  return {
    id: order?.paymentId ?? 'pi_unknown',
    object: 'payment_intent',
    status: 'succeeded',
    amount: order?.amount ?? 1,
    amount_received: order?.amount ?? 1,
    currency: 'usd',
    latest_charge: `ch_${salt}`,
    metadata: { app: 'querywright', deployment: 'test', orderId: order?.orderId },
  };
}

export const webhookTargets: Target[] = [
  {
    name: 'Stripe webhooks',
    contract: stripeEvent,
    accepts: [200],
    draft: (world, salt, body) => ({
      method: 'POST',
      path: '/api/webhooks/stripe',
      headers: {},
      // Half of the events are about stored orders, half are arbitrary.
      body: { ...body, data: { object: salt % 2 === 0 ? intent(world, salt) : body.data } },
      sign: (payload) => ({ 'stripe-signature': sign(payload) }),
    }),
  },
  {
    name: 'PayPal webhooks',
    contract: paypalEvent,
    accepts: [200],
    draft(world, salt, body) {
      const { paymentId, orderId } = pick(world.paypalOrders, salt) ?? {};
      const create_time = new Date().toISOString();
      const resource = salt % 2 === 0 ? { id: paymentId, custom_id: orderId } : body.resource;
      return {
        method: 'POST',
        path: '/api/webhooks/paypal',
        headers: {},
        body: { ...body, create_time, resource },
        sign: (payload) => signPaypal(world, payload),
      };
    },
  },
];
