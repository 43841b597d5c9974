import Stripe from 'stripe';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunningSandbox, startSandbox } from '../testing/sandbox.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../testing/webhook-receiver.ts';

let site: WebhookReceiver;
let sandbox: RunningSandbox;
let stripe: Stripe;

beforeEach(async () => {
  site = await startWebhookReceiver();
  sandbox = await startSandbox({ siteUrl: site.url });
  stripe = sandbox.stripeClient;
});
afterEach(async () => {
  await sandbox.close();
  await site.close();
});

test('delivers signed events with the objects as they were', async () => {
  const intent = await pay('pm_card_visa');
  await expect
    .poll(() => site.types().sort())
    .toEqual(['charge.succeeded', 'payment_intent.created', 'payment_intent.succeeded']);
  for (const { path, headers, body } of site.received) {
    expect(path).toBe('/api/webhooks/stripe');
    const event = stripe.webhooks.constructEvent(body, headers['stripe-signature'] ?? '', 'whsec_sandbox');
    expect(event.api_version).toBe(Stripe.API_VERSION);
  }
  const created = site.received
    .map(({ body }) => JSON.parse(body))
    .find(({ type }) => type === 'payment_intent.created');
  expect(created.data.object).toMatchObject({ id: intent.id, status: 'requires_payment_method' });
});

test.each([
  ['pm_card_chargeDeclined', ['charge.failed', 'payment_intent.payment_failed']],
  ['pm_card_authenticationRequired', ['payment_intent.requires_action']],
  ['pm_usBankAccount', ['charge.pending', 'payment_intent.processing']],
])('a payment with %s sends %j', async (method, types) => {
  await pay(method).catch(() => undefined);
  await expect.poll(() => site.types()).toEqual(expect.arrayContaining(types));
});

test('reports refunds and disputes with the totals of the charge', async () => {
  const intent = await pay('pm_card_visa');
  await stripe.refunds.create({ payment_intent: intent.id, amount: 400 });
  await fetch(`${sandbox.url}/stripe/sandbox/charges/${intent.latest_charge}/dispute`, { method: 'POST' });
  await expect
    .poll(() => site.types())
    .toEqual(expect.arrayContaining(['charge.refunded', 'refund.created', 'charge.dispute.created']));
  const refunded = site.received
    .map(({ body }) => JSON.parse(body))
    .find(({ type }) => type === 'charge.refunded');
  expect(refunded.data.object).toMatchObject({
    amount: 1000,
    amount_refunded: 400,
    payment_intent: intent.id,
  });
});

test('retries a delivery until it is accepted, with a new signature each time', async () => {
  site.answers.push(500, 503);
  await stripe.paymentIntents.create({ amount: 1000, currency: 'usd' });
  await expect.poll(() => site.received.length, { timeout: 5000 }).toBe(3);
  await expect.poll(async () => (await deliveries())[0]?.status).toBe('delivered');
  const [delivery] = await deliveries();
  expect(delivery?.attempts.map(({ status }) => status)).toEqual([500, 503, 200]);
  const stamps = site.received.map(({ headers }) => String(headers['stripe-signature']).split(',')[0]);
  expect(new Set(stamps).size).toBeGreaterThan(1);
});

test('delivers to a web process that was down once it is back', async () => {
  sandbox.config.siteUrl = 'http://127.0.0.1:9';
  await stripe.paymentIntents.create({ amount: 1000, currency: 'usd' });
  await expect.poll(async () => (await deliveries())[0]?.attempts.length).toBe(1);
  expect(site.received).toEqual([]);
  sandbox.config.siteUrl = site.url;
  await expect.poll(() => site.types(), { timeout: 5000 }).toEqual(['payment_intent.created']);
});

test('lists events by type and time, and retrieves them', async () => {
  const started = Math.floor(Date.now() / 1000);
  const intent = await pay('pm_card_visa');
  const page = await stripe.events.list({
    types: ['payment_intent.succeeded', 'charge.refunded'],
    created: { gte: started },
  });
  expect(page.data.map(({ type }) => type)).toEqual(['payment_intent.succeeded']);
  expect(page.data[0]?.data.object).toMatchObject({ id: intent.id, status: 'succeeded' });
  expect(await stripe.events.retrieve(page.data[0]?.id ?? '')).toMatchObject({
    type: 'payment_intent.succeeded',
  });
  const all = [];
  for await (const event of stripe.events.list({ limit: 1 })) all.push(event.type);
  expect(all).toHaveLength(3);
  expect((await stripe.events.list({ created: { gte: started + 3600 } })).data).toEqual([]);
});

test('refuses to list more than 20 types at once', async () => {
  const types = Array.from({ length: 21 }, (_, index) => `payment_intent.number_${index}`);
  await expect(stripe.events.list({ types })).rejects.toMatchObject({ statusCode: 400, param: 'types' });
  expect((await stripe.events.list({ types: types.slice(1) })).data).toEqual([]);
});

async function pay(method: string): Promise<Stripe.PaymentIntent> {
  const intent = await stripe.paymentIntents.create({
    amount: 1000,
    currency: 'usd',
    metadata: { orderId: 'o-1' },
  });
  return stripe.paymentIntents.confirm(intent.id, {
    payment_method: method,
    return_url: 'http://localhost/',
  });
}

async function deliveries(): Promise<{ status: string; attempts: { status: number | null }[] }[]> {
  return (await fetch(`${sandbox.url}/stripe/sandbox/deliveries`)).json();
}
