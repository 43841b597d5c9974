import type Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type RunningSandbox, startSandbox } from '../testing/sandbox.ts';

let sandbox: RunningSandbox;
let stripe: Stripe;

beforeAll(async () => {
  sandbox = await startSandbox();
  stripe = sandbox.stripeClient;
});
afterEach(() => sandbox.faults.heal());
afterAll(() => sandbox.close());

const params = { amount: 1000, currency: 'usd' };

test('the same key and body answer with the first answer, marked as replayed', async () => {
  const idempotencyKey = crypto.randomUUID();
  const first = await stripe.paymentIntents.create(params, { idempotencyKey });
  const again = await stripe.paymentIntents.create(params, { idempotencyKey });
  expect(again.id).toBe(first.id);
  expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
});

test('the same key with another body is refused', async () => {
  const idempotencyKey = crypto.randomUUID();
  await stripe.paymentIntents.create(params, { idempotencyKey });
  const call = stripe.paymentIntents.create({ ...params, amount: 2000 }, { idempotencyKey });
  await expect(call).rejects.toMatchObject({ statusCode: 400, type: 'StripeIdempotencyError' });
});

test('a key in use is 409 until its first request has answered', async () => {
  sandbox.faults.add({ target: 'stripe', mode: 'slow', ms: 200, count: 1 });
  const idempotencyKey = crypto.randomUUID();
  const slow = stripe.paymentIntents.create(params, { idempotencyKey });
  await expect.poll(() => sandbox.faults.list()).toEqual([]);
  const meanwhile = stripe.paymentIntents.create(params, { idempotencyKey });
  await expect(meanwhile).rejects.toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' });
  const first = await slow;
  expect((await stripe.paymentIntents.create(params, { idempotencyKey })).id).toBe(first.id);
});

test('a 500 is replayed to its key for ever, as Stripe does', async () => {
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

test('a declined card is replayed, a malformed request is not kept', async () => {
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

test('work whose answer was lost is found again with the same key', async () => {
  sandbox.faults.add({ target: 'stripe', mode: 'drop', when: 'after', count: 1 });
  const before = sandbox.stripe.state.paymentIntents.size;
  const idempotencyKey = crypto.randomUUID();
  // The official client tries again by itself after a reset, with the same key.
  const found = await stripe.paymentIntents.create(params, { idempotencyKey });
  expect(found.lastResponse.headers['idempotent-replayed']).toBe('true');
  expect(sandbox.stripe.state.paymentIntents.size).toBe(before + 1);
});
