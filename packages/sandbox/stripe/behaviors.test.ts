import type Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BehaviorRequest } from '../behaviors.ts';
import { type RunningSandbox, startSandbox } from '../testing/sandbox.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../testing/webhook-receiver.ts';

let site: WebhookReceiver;
let sandbox: RunningSandbox;
let stripe: Stripe;

beforeAll(async () => {
  site = await startWebhookReceiver();
  sandbox = await startSandbox({ siteUrl: site.url });
  stripe = sandbox.stripeClient;
});
beforeEach(() => site.received.splice(0));
afterEach(() => sandbox.behaviors.clear());
afterAll(async () => {
  await sandbox.close();
  await site.close();
});

describe('events', () => {
  test('in an older version carry charges instead of latest_charge', async () => {
    enable({ name: 'stripe-event-version', match: 'payment_intent.succeeded' });
    const intent = await pay();
    const event = await delivered('payment_intent.succeeded');
    expect(event.api_version).toBe('2020-08-27');
    expect(event.data.object).not.toHaveProperty('latest_charge');
    expect(event.data.object.charges.data).toMatchObject([{ id: intent.latest_charge, paid: true }]);
  });

  test('in a version since 2022-11-15 differ in their api_version only', async () => {
    enable({ name: 'stripe-event-version', value: '2024-06-20' });
    const intent = await pay();
    const event = await delivered('payment_intent.succeeded');
    expect(event).toMatchObject({
      api_version: '2024-06-20',
      data: { object: { latest_charge: intent.latest_charge } },
    });
  });

  test('can lack the charge of a success', async () => {
    enable({ name: 'stripe-event-without-charge' });
    await pay();
    expect((await delivered('payment_intent.succeeded')).data.object.latest_charge).toBeNull();
  });

  test('can come from live mode', async () => {
    enable({ name: 'stripe-live-event' });
    await pay();
    expect((await delivered('payment_intent.succeeded')).livemode).toBe(true);
  });

  test('can stay undelivered, and are listed as such', async () => {
    enable({ name: 'stripe-undelivered-event', match: 'payment_intent.succeeded' });
    const intent = await pay();
    await delivered('charge.succeeded');
    const created = { gte: intent.created };
    const listed = async (delivery_success: boolean) => {
      const { data } = await stripe.events.list({ created, delivery_success, limit: 100 });
      return data.filter(({ data: { object } }) => Reflect.get(object, 'id') === intent.id);
    };
    expect((await listed(false)).map(({ type }) => type)).toEqual(['payment_intent.succeeded']);
    await expect
      .poll(async () => (await listed(true)).map(({ type }) => type))
      .toEqual(['payment_intent.created']);
    expect(site.types()).not.toContain('payment_intent.succeeded');
  });

  test('can be missing altogether', async () => {
    enable({ name: 'stripe-missing-event', match: 'payment_intent.succeeded' });
    const intent = await pay();
    await delivered('charge.succeeded');
    const { data } = await stripe.events.list({ created: { gte: intent.created }, limit: 100 });
    const own = data.filter(({ data: { object } }) => Reflect.get(object, 'id') === intent.id);
    expect(own.map(({ type }) => type)).toEqual(['payment_intent.created']);
  });

  test('can be followed by a signed thin event', async () => {
    enable({ name: 'stripe-thin-event', count: 1 });
    await pay();
    const type = 'v2.core.health.event_generation_failure.resolved';
    await delivered(type);
    const { body, headers } = site.received.find((hook) => JSON.parse(hook.body).type === type) ?? never();
    const signature = String(headers['stripe-signature']);
    expect(stripe.parseEventNotification(body, signature, 'whsec_sandbox')).toMatchObject({ type });
  });
});

test('a retrieved success can lack its charge at first', async () => {
  const intent = await pay();
  enable({ name: 'stripe-late-charge', match: intent.id, count: 1 });
  const retrieve = () => stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] });
  expect(await retrieve()).toMatchObject({ status: 'succeeded', latest_charge: null });
  expect(await retrieve()).toMatchObject({ latest_charge: { id: intent.latest_charge } });
});

test('a 500 of a refund or a cancellation is stored under its key', async () => {
  const paid = await pay();
  const refund = (idempotencyKey: string) =>
    stripe.refunds.create({ payment_intent: paid.id }, { idempotencyKey });
  const open = await stripe.paymentIntents.create({ amount: 1000, currency: 'usd' });
  const cancel = (idempotencyKey: string) => stripe.paymentIntents.cancel(open.id, {}, { idempotencyKey });

  for (const [call, match] of [
    [refund, '/refunds'],
    [cancel, '/cancel'],
  ] as const) {
    enable({ name: 'stripe-stored-error', match, count: 1 });
    await expect(call(`first${match}`)).rejects.toMatchObject({ statusCode: 500 });
    await expect(call(`first${match}`)).rejects.toMatchObject({ statusCode: 500 });
    expect(await call(`next${match}`)).toMatchObject({ object: expect.any(String) });
  }
});

describe('slow payments', () => {
  test.each([
    ['succeeded', 'succeeded'],
    ['failed', 'requires_payment_method'],
  ])('of a card are processing, then %s', async (value, status) => {
    enable({ name: 'stripe-slow-payment', value, ms: 30 });
    const intent = await pay();
    expect(intent.status).toBe('processing');
    await expect.poll(async () => (await stripe.paymentIntents.retrieve(intent.id)).status).toBe(status);
  });

  test('stay processing until they are settled', async () => {
    enable({ name: 'stripe-slow-payment' });
    const intent = await pay();
    await control(`/payment_intents/${intent.id}/settle`, { outcome: 'succeeded' });
    expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('succeeded');
  });

  test('can be canceled', async () => {
    const intent = await pay('pm_usBankAccount');
    await expect(stripe.paymentIntents.cancel(intent.id)).rejects.toMatchObject({ statusCode: 400 });
    enable({ name: 'stripe-cancel-processing', match: intent.id });
    expect((await stripe.paymentIntents.cancel(intent.id)).status).toBe('canceled');
  });

  test('can wait for micro-deposits', async () => {
    enable({ name: 'stripe-microdeposits' });
    const verified = await pay('pm_usBankAccount');
    expect(verified).toMatchObject({
      status: 'requires_action',
      next_action: { type: 'verify_with_microdeposits' },
    });
    await control(`/payment_intents/${verified.id}/verify_microdeposits`, { outcome: 'verified' });
    expect((await stripe.paymentIntents.retrieve(verified.id)).status).toBe('processing');

    const failed = await pay('pm_usBankAccount');
    await control(`/payment_intents/${failed.id}/verify_microdeposits`, { outcome: 'failed' });
    expect((await stripe.paymentIntents.retrieve(failed.id)).status).toBe('requires_payment_method');
  });
});

describe('refunds', () => {
  test.each([
    ['succeeded', 1000, []],
    ['failed', 0, ['refund.failed']],
    ['canceled', 0, []],
  ])('are pending, then %s', async (value, refunded, types) => {
    const { latest_charge: charge } = await pay();
    enable({ name: 'stripe-pending-refund', value, ms: 30 });
    const refund = await stripe.refunds.create({ charge: String(charge) });
    expect(refund.status).toBe('pending');
    await expect.poll(async () => (await stripe.refunds.retrieve(refund.id)).status).toBe(value);
    expect((await stripe.charges.retrieve(String(charge))).amount_refunded).toBe(refunded);
    const expected = ['charge.refunded', ...types, 'refund.updated', 'charge.refund.updated'];
    await expect.poll(() => site.types()).toEqual(expect.arrayContaining(expected));
    expect(site.types().includes('refund.failed')).toBe(types.length > 0);
  });
});

test('a refund that failed with a 500 can be made later, once', async () => {
  const { latest_charge: charge } = await pay();
  enable({ name: 'stripe-unconfirmed-refund', ms: 30, count: 1 });
  const params = { charge: String(charge), amount: 400 };
  const call = () => stripe.refunds.create(params, { idempotencyKey: 'unconfirmed' });
  await expect(call()).rejects.toMatchObject({ statusCode: 500 });
  const made = async () => (await stripe.refunds.list({ charge: String(charge) })).data;
  await expect.poll(async () => (await made()).length).toBe(1);
  await expect(call()).rejects.toMatchObject({ statusCode: 500 });
  expect(await made()).toMatchObject([{ amount: 400 }]);
});

test.each([
  ['lost', 'won', 'charge.dispute.funds_reinstated'],
  ['won', 'lost', 'charge.dispute.funds_withdrawn'],
])('a dispute that is %s can turn and be %s', async (outcome, turned, money) => {
  const { latest_charge: charge } = await pay();
  const { id } = await control(`/charges/${charge}/dispute`);
  enable({ name: 'stripe-dispute-turn', match: id, ms: 30, count: 1 });
  expect(await control(`/disputes/${id}/close`, { outcome })).toMatchObject({ status: outcome });
  await expect.poll(async () => (await stripe.disputes.retrieve(id)).status).toBe(turned);
  await expect.poll(() => site.types().filter((type) => type === 'charge.dispute.closed').length).toBe(2);
  expect(site.types()).toContain(money);
});

describe('the account', () => {
  test('can have payments of other uses', async () => {
    enable({ name: 'stripe-other-payment' });
    await pay();
    await expect
      .poll(() => site.types().filter((type) => type === 'payment_intent.succeeded').length)
      .toBe(2);
    const objects = site.received.map(({ body }) => JSON.parse(body).data.object);
    expect(objects).toContainEqual(expect.objectContaining({ status: 'succeeded', metadata: {} }));
  });

  test('can get fraud warnings, reviews and failed payouts', async () => {
    enable({ name: 'stripe-fraud-warning' });
    enable({ name: 'stripe-review', ms: 30 });
    enable({ name: 'stripe-failed-payout' });
    const intent = await pay();
    const warning = await delivered('radar.early_fraud_warning.created');
    expect(warning.data.object).toMatchObject({ charge: intent.latest_charge, payment_intent: intent.id });
    await delivered('review.opened');
    expect((await delivered('review.closed')).data.object).toMatchObject({ open: false, reason: 'approved' });
    expect((await delivered('payout.failed')).data.object.failure_code).toBe('account_closed');
  });

  test('reports the same on request', async () => {
    const { latest_charge: charge } = await pay();
    await control(`/charges/${charge}/early_fraud_warning`);
    const review = await control(`/charges/${charge}/review`);
    await control(`/reviews/${review.id}/close`, { reason: 'refunded_as_fraud' });
    await control('/payouts', { status: 'paid' });
    await control('/other_payments');
    await control('/thin_events', { type: 'v2.core.event_destination.ping' });
    await delivered('v2.core.event_destination.ping');
    await expect
      .poll(() => site.types())
      .toEqual(expect.arrayContaining(['radar.early_fraud_warning.created', 'review.closed', 'payout.paid']));
  });
});

function enable(request: BehaviorRequest): void {
  sandbox.behaviors.add(request);
}

async function pay(method = 'pm_card_visa'): Promise<Stripe.PaymentIntent> {
  const { id } = await stripe.paymentIntents.create({
    amount: 1000,
    currency: 'usd',
    metadata: { orderId: 'o-1' },
  });
  return stripe.paymentIntents.confirm(id, { payment_method: method });
}

async function control(path: string, request: object = {}): Promise<{ id: string }> {
  const answer = await fetch(`${sandbox.url}/stripe/sandbox${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  expect(answer.status, await answer.clone().text()).toBe(200);
  return answer.json();
}

/** The first delivered event of this type. */
async function delivered(type: string) {
  await expect.poll(() => site.types()).toContain(type);
  const hook = site.received.find(({ body }) => JSON.parse(body).type === type);
  return JSON.parse(hook?.body ?? never());
}

function never(): never {
  throw new Error('not delivered');
}
