import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import type { PlacedOrder } from './buyer.ts';
import { type RequestOptions, request } from './request.ts';
import type { Shop } from './shop.ts';

const stripe = new Stripe('sk_test_unused');

export interface TestEvent {
  id: string;
  type: string;
  object: 'event';
  created: number;
  api_version?: string;
  data: { object: Record<string, unknown> };
}

/** The success event of an order's payment as Stripe sends it; `intent` overrides fields. */
export function succeededEvent(order: PlacedOrder, intent: Record<string, unknown> = {}): TestEvent {
  return event('payment_intent.succeeded', {
    id: order.paymentIntentId,
    object: 'payment_intent',
    status: 'succeeded',
    amount: 299_900,
    amount_received: 299_900,
    currency: 'usd',
    latest_charge: `ch_${order.paymentIntentId.slice(3)}`,
    metadata: { app: 'querywright', deployment: 'test', orderId: order.orderId },
    ...intent,
  });
}

export function event(type: string, object: Record<string, unknown>): TestEvent {
  return {
    id: `evt_${randomUUID().replaceAll('-', '')}`,
    object: 'event',
    type,
    created: Math.floor(Date.now() / 1000),
    data: { object },
  };
}

interface SigningOptions {
  secret?: string;
  /** Seconds since the epoch in the signature. */
  timestamp?: number;
}

/** Signs the body as Stripe does. */
export function sign(payload: string, { secret = 'whsec_sandbox', timestamp }: SigningOptions = {}): string {
  return stripe.webhooks.generateTestHeaderString({ payload, secret, ...(timestamp ? { timestamp } : {}) });
}

/** Delivers a signed webhook. */
export function deliver(shop: Pick<Shop, 'url'>, body: TestEvent | string, options: SigningOptions = {}) {
  const payload = typeof body === 'string' ? body : JSON.stringify(body);
  return deliverRaw(shop, payload, { 'stripe-signature': sign(payload, options) });
}

export function deliverRaw(
  shop: Pick<Shop, 'url'>,
  body: RequestOptions['body'],
  headers: Record<string, string>,
) {
  return request(`${shop.url}/api/webhooks/stripe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
}
