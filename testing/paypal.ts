import { randomUUID, sign } from 'node:crypto';
import { signedText } from '@querywright/sandbox/paypal/signature';
import { expect } from 'vitest';
import { auditOrder, post } from './buyer.ts';
import { request } from './request.ts';
import type { Shop } from './shop.ts';

export interface PaypalPurchase {
  orderId: string;
  paypalOrderId: string;
}

/** Orders a service and opens its payment at PayPal, as the site does, without approving it yet. */
export async function placePaypalOrder(shop: Shop, key: string = randomUUID()): Promise<PaypalPurchase> {
  const answer = await post(shop, '/api/create-paypal-order', auditOrder, { 'idempotency-key': key });
  const { orderId } = await okJson<{ orderId: string }>(answer);
  return { orderId, paypalOrderId: await openPayment(shop, orderId) };
}

/** Creates PayPal's order for ours. Returns its id. */
export async function openPayment(shop: Shop, orderId: string): Promise<string> {
  const body = { orderId, amount: '2999.00', currency: 'USD', intent: 'CAPTURE' };
  return (await okJson<{ id: string }>(await post(shop, '/api/paypal/order', body))).id;
}

/** Approves the payment as the buyer does in PayPal's window. `outcome` is the capture's result. */
export function approve(shop: Shop, { paypalOrderId }: PaypalPurchase, outcome = 'completed') {
  return paypalControl(shop, `/orders/${paypalOrderId}/approve`, { outcome });
}

/** The site's capture call after the approval. */
export function capture(shop: Shop, { paypalOrderId }: { paypalOrderId: string }) {
  return post(shop, `/api/paypal/order/${paypalOrderId}/capture`, {});
}

/** Orders, approves and captures; returns the purchase with PayPal's capture id. */
export async function buyWithPaypal(shop: Shop): Promise<PaypalPurchase & { captureId: string }> {
  const purchase = await placePaypalOrder(shop);
  await approve(shop, purchase);
  expect(await okJson(await capture(shop, purchase))).toEqual({ status: 'COMPLETED' });
  return { ...purchase, captureId: captureOf(shop, purchase) };
}

/** The id of the order's only capture. */
export function captureOf(shop: Shop, purchase: PaypalPurchase): string {
  expectOneCapture(shop, purchase);
  return capturesOf(shop, purchase)[0]?.id ?? '';
}

export function expectOneCapture(shop: Shop, purchase: PaypalPurchase): void {
  expect(capturesOf(shop, purchase)).toHaveLength(1);
}

export function capturesOf(shop: Shop, { paypalOrderId }: PaypalPurchase) {
  const [unit] = shop.sandbox.paypal.context.state.orders.get(paypalOrderId)?.purchase_units ?? [];
  return unit?.payments?.captures ?? [];
}

/** Calls the sandbox on behalf of a buyer, a bank or PayPal's dashboard. */
export async function paypalControl<T>(shop: Shop, path: string, body: object = {}): Promise<T> {
  return okJson<T>(await post({ url: `${shop.sandbox.url}/paypal/sandbox` }, path, body));
}

/** A webhook event as PayPal writes it. */
export function paypalEvent(type: string, resource: object) {
  return {
    id: `WH-${randomUUID()}`,
    event_version: '1.0',
    create_time: new Date().toISOString(),
    event_type: type,
    resource,
  };
}

export interface PaypalSigning {
  webhookId?: string;
  time?: string;
  /** Sent instead of the body that was signed. */
  sent?: string;
  /** Headers that differ from an honest delivery's; null leaves one out. */
  headers?: Record<string, string | null>;
}

/** Delivers an event signed with the sandbox's key, as PayPal would. */
export function deliverPaypal(shop: Shop, event: object | string, signing: PaypalSigning = {}) {
  const body = typeof event === 'string' ? event : JSON.stringify(event);
  const all = { 'content-type': 'application/json', ...signPaypal(shop, body, signing), ...signing.headers };
  const kept = Object.entries(all).filter((header): header is [string, string] => header[1] !== null);
  return request(`${shop.url}/api/webhooks/paypal`, {
    method: 'POST',
    headers: Object.fromEntries(kept),
    body: signing.sent ?? body,
  });
}

/** PayPal's own signature of this body, as the headers of its delivery. */
export function signPaypal(
  { sandbox, config }: Pick<Shop, 'sandbox' | 'config'>,
  body: string,
  { webhookId = config.paypal.webhookId, time = new Date().toISOString() }: PaypalSigning = {},
): Record<string, string> {
  const id = randomUUID();
  const text = signedText(id, time, webhookId, body);
  return {
    'paypal-transmission-id': id,
    'paypal-transmission-time': time,
    'paypal-transmission-sig': sign('sha256', Buffer.from(text), sandbox.paypal.keys.privateKey).toString(
      'base64',
    ),
    'paypal-cert-url': `${config.paypal.apiUrl}/v1/notifications/certs/CERT-SANDBOX-1`,
    'paypal-auth-algo': 'SHA256withRSA',
  };
}

async function okJson<T>(answer: Response): Promise<T> {
  const body = await answer.text();
  expect(answer.status, body).toBe(200);
  return JSON.parse(body) as T;
}
