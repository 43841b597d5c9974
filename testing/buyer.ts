import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { OrderStatus, OrderView, PaymentIntentCreated } from '../core/orders.ts';
import { serviceBySlug } from '../core/services.ts';
import { request } from './request.ts';
import type { Shop } from './shop.ts';
import { waitFor } from './wait-for.ts';

export const auditOrder = {
  serviceId: 'audit',
  customerName: 'Ada Lovelace',
  customerEmail: 'ada@example.com',
  amount: serviceBySlug('audit').price,
};

export interface PlacedOrder extends PaymentIntentCreated {
  paymentIntentId: string;
}

/** Sends JSON as the site does. */
export function post(
  shop: { url: string },
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
) {
  return request(`${shop.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** Places an order for payment by card, without paying it. */
export async function placeOrder(
  shop: { url: string },
  order: Partial<typeof auditOrder> = {},
  key: string = randomUUID(),
): Promise<PlacedOrder> {
  const answer = await post(
    shop,
    '/api/create-payment-intent',
    { ...auditOrder, ...order },
    { 'idempotency-key': key },
  );
  const body = (await answer.json()) as PaymentIntentCreated;
  expect(answer.status, JSON.stringify(body)).toBe(200);
  return { ...body, paymentIntentId: body.clientSecret.split('_secret_')[0] ?? '' };
}

/** Pays at the sandbox as the buyer's browser does. Returns Stripe's answer, a decline included. */
export async function pay(shop: Shop, { paymentIntentId }: PlacedOrder, card = 'pm_card_visa') {
  const answer = await fetch(`${shop.sandbox.url}/stripe/v1/payment_intents/${paymentIntentId}/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.config.stripe.secretKey}` },
    body: new URLSearchParams({ payment_method: card, return_url: 'http://localhost/success' }),
  });
  return (await answer.json()) as {
    status?: string;
    latest_charge?: string;
    error?: { code: string; message: string };
  };
}

export async function readOrder(shop: { url: string }, orderId: string): Promise<OrderView> {
  return (await (await request(`${shop.url}/api/orders/${orderId}`)).json()) as OrderView;
}

/** Waits until the order has this status. */
export async function untilStatus(
  shop: { url: string },
  orderId: string,
  status: OrderStatus,
  timeoutMs = 15_000,
) {
  return waitFor(
    `order ${orderId} is ${status}`,
    async () => {
      const order = await readOrder(shop, orderId);
      if (order.status !== status) throw new Error(`status is ${order.status}`);
      return order;
    },
    { timeoutMs },
  );
}

/** The e-mails about this order in the sandbox's inbox, newest first. */
export async function mailsAbout(shop: Shop, orderId: string) {
  const all = (await (await fetch(`${shop.sandbox.url}/inbox/messages`)).json()) as {
    to: string[];
    subject: string;
    text: string;
    html: string;
    headers: Record<string, string>;
  }[];
  return all.filter((mail) => mail.text.includes(orderId));
}
