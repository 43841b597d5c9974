import type Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type RunningSandbox, startSandbox } from '../testing/sandbox.ts';

let sandbox: RunningSandbox;
let stripe: Stripe;

beforeAll(async () => {
  sandbox = await startSandbox();
  stripe = sandbox.stripeClient;
});
afterEach(() => sandbox.faults.clear());
afterAll(() => sandbox.close());

const params = { amount: 1000, currency: 'usd' };

test('replays the first answer for the same key and body', async () => {
  const idempotencyKey = crypto.randomUUID();
  const first = await stripe.paymentIntents.create(params, { idempotencyKey });
  const again = await stripe.paymentIntents.create(params, { idempotencyKey });
  expect(again.id).toBe(first.id);
  expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
});

test('refuses the same key with another body', async () => {
  const idempotencyKey = crypto.randomUUID();
  await stripe.paymentIntents.create(params, { idempotencyKey });
  const call = stripe.paymentIntents.create({ ...params, amount: 2000 }, { idempotencyKey });
  await expect(call).rejects.toMatchObject({ statusCode: 400, type: 'StripeIdempotencyError' });
});

test('answers 409 while the first request with a key is in progress', async () => {
  sandbox.faults.add({ target: 'stripe', mode: 'slow', ms: 30_000, count: 1 });
  const idempotencyKey = crypto.randomUUID();
  const slow = stripe.paymentIntents.create(params, { idempotencyKey });
  await expect.poll(() => sandbox.faults.list()).toEqual([]);
  const meanwhile = stripe.paymentIntents.create(params, { idempotencyKey });
  await expect(meanwhile).rejects.toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' });
  sandbox.faults.clear();
  const first = await slow;
  expect((await stripe.paymentIntents.create(params, { idempotencyKey })).id).toBe(first.id);
});

test('replays a 500 to its key, as Stripe does', async () => {
  sandbox.faults.add({ target: 'stripe', mode: 'error', count: 1 });
  const idempotencyKey = crypto.randomUUID();
  for (let i = 0; i < 2; i += 1) {
    const call = stripe.paymentIntents.create(params, { idempotencyKey });
    await expect(call).rejects.toMatchObject({ statusCode: 500, type: 'StripeAPIError' });
  }
  await expect(
    stripe.paymentIntents.create(params, { idempotencyKey: crypto.randomUUID() }),
  ).resolves.toBeDefined();
});

test('replays a declined card, but not a malformed request', async () => {
  const { id } = await stripe.paymentIntents.create(params);
  const declined = { payment_method: 'pm_card_chargeDeclined' };
  for (let i = 0; i < 2; i += 1) {
    const call = stripe.paymentIntents.confirm(id, declined, { idempotencyKey: `decline-${id}` });
    await expect(call).rejects.toMatchObject({ statusCode: 402 });
  }
  expect((await stripe.charges.list({ payment_intent: id })).data).toHaveLength(1);

  const idempotencyKey = crypto.randomUUID();
  const bad = stripe.paymentIntents.create({ ...params, amount: 1 }, { idempotencyKey });
  await expect(bad).rejects.toMatchObject({ statusCode: 400 });
  await expect(stripe.paymentIntents.create(params, { idempotencyKey })).resolves.toMatchObject({
    amount: 1000,
  });
});

test('returns finished work whose answer was lost for the same key', async () => {
  sandbox.faults.add({ target: 'stripe', mode: 'drop', when: 'after', count: 1 });
  const before = sandbox.stripe.state.paymentIntents.size;
  const idempotencyKey = crypto.randomUUID();
  // The official client retries after a reset, with the same key.
  const found = await stripe.paymentIntents.create(params, { idempotencyKey });
  expect(found.lastResponse.headers['idempotent-replayed']).toBe('true');
  expect(sandbox.stripe.state.paymentIntents.size).toBe(before + 1);
});
