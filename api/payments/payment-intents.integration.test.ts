import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { messages } from '../../core/messages.ts';
import { createRateLimits } from '../../infra/rate-limits.ts';
import { connectRedis, failFast } from '../../infra/redis.ts';
import { auditOrder, pay, placeOrder, post, readOrder } from '../../testing/buyer.ts';
import { holdCall } from '../../testing/held-call.ts';
import { placePaypalOrder } from '../../testing/paypal.ts';
import { startShop, withShop } from '../../testing/shop.ts';
import { timedBeside } from '../../testing/timed.ts';
import { waitFor } from '../../testing/wait-for.ts';

const shop = await withShop();

const PATH = '/api/create-payment-intent';

describe('Idempotency-Key', () => {
  test('20 equal requests at once make one order and one PaymentIntent', async () => {
    const key = randomUUID();
    const placed = await Promise.all(Array.from({ length: 20 }, () => placeOrder(shop, {}, key)));
    expect(new Set(placed.map((order) => order.orderId)).size).toBe(1);
    expect(new Set(placed.map((order) => order.clientSecret)).size).toBe(1);
    expect(await intentsOf(placed[0]?.orderId)).toHaveLength(1);
  });

  test('the same request while Stripe still works on the first one gets the same payment', async () => {
    const key = randomUUID();
    const call = holdCall(shop, 'stripe', { match: 'POST /payment_intents' });
    const lookUp = vi.spyOn(shop.sandbox.stripe.state.answers, 'get');
    const firstPlaced = placeOrder(shop, {}, key);
    await call.received();
    const secondPlaced = placeOrder(shop, {}, key);
    await waitFor('the key is in use', () => lookUp.mock.calls.length >= 2);
    call.release();
    const [first, second] = await Promise.all([firstPlaced, secondPlaced]);
    expect(second).toEqual(first);
    expect(await intentsOf(first.orderId)).toHaveLength(1);
  });

  test('the same key later gives the same order and client secret', async () => {
    const key = randomUUID();
    expect(await placeOrder(shop, {}, key)).toEqual(await placeOrder(shop, {}, key));
  });

  test('the same key with another body is 422', async () => {
    const key = randomUUID();
    await placeOrder(shop, {}, key);
    const other = { ...auditOrder, customerName: 'Grace Hopper' };
    expect((await post(shop, PATH, other, { 'idempotency-key': key })).status).toBe(422);
  });

  test('requests without a key create separate orders', async () => {
    const first = await (await post(shop, PATH, auditOrder)).json();
    const second = await (await post(shop, PATH, auditOrder)).json();
    expect(first.orderId).not.toBe(second.orderId);
  });
});

test('an order’s id begins with the time, so that new orders share the pages of an index', async () => {
  const since = Date.now();
  const { orderId } = await placeOrder(shop);
  const time = Number.parseInt(orderId.replace('-', '').slice(0, 12), 16);
  expect(time).toBeGreaterThanOrEqual(since);
  expect(time).toBeLessThanOrEqual(Date.now());
});

describe('while Stripe misbehaves', () => {
  test.each(['error', 'timeout', 'drop'] as const)(
    '%s: the buyer gets the message for an outage, and the same request works afterwards',
    async (mode) => {
      const key = randomUUID();
      shop.sandbox.faults.add({ target: 'stripe', mode });
      const refused = await post(shop, PATH, auditOrder, { 'idempotency-key': key });
      expect(refused.status).toBe(503);
      expect(refused.headers.get('retry-after')).not.toBeNull();
      expect((await refused.json()).message).toBe(messages.stripeUnavailable);

      shop.sandbox.faults.clear();
      const order = await placeOrder(shop, {}, key);
      expect((await readOrder(shop, order.orderId)).status).toBe('pending');
      expect(await intentsOf(order.orderId)).toHaveLength(1);
    },
    30_000,
  );

  test('errors that take seconds each: the buyer is answered within 10 s', async () => {
    shop.sandbox.faults.add({ target: 'stripe', mode: 'error', ms: 3_500 });
    const refused = await timedBeside(
      () => post(shop, PATH, auditOrder),
      () => placePaypalOrder(shop),
    );
    expect(refused.result.status).toBe(503);
    expect(refused.ms).toBeLessThan(10_000 + refused.usualMs);
  });

  test('a lost answer leaves one intent, not two', async () => {
    shop.sandbox.faults.add({ target: 'stripe', mode: 'drop', when: 'after', count: 1 });
    const order = await placeOrder(shop);
    expect(await intentsOf(order.orderId)).toHaveLength(1);
  });

  test('a confirm call that cannot ask is 503 and changes nothing', async () => {
    const order = await placeOrder(shop);
    await pay(shop, order);
    shop.sandbox.faults.add({ target: 'stripe', mode: 'error' });
    const { orderId, paymentIntentId } = order;
    expect((await post(shop, '/api/confirm-payment', { orderId, paymentIntentId })).status).toBe(503);
    expect((await readOrder(shop, orderId)).status).toBe('pending');
  });
});

test('too many orders from one address are 429 with Retry-After, and no intent is made for them', async () => {
  const limited = await startShop({
    parts: ({ db, config }) => ({
      rateLimits: createRateLimits({
        db,
        queuePrefix: config.queuePrefix,
        redis: config.redisUrl
          ? connectRedis(config.redisUrl, { ...failFast, enableOfflineQueue: true }, () => {})
          : undefined,
      }),
    }),
  });
  try {
    const statuses: number[] = [];
    for (let i = 0; i < 22; i++) statuses.push((await post(limited, PATH, auditOrder)).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.slice(20)).toEqual([429, 429]);
    expect((await post(limited, PATH, auditOrder)).headers.get('retry-after')).toMatch(/^\d+$/);
    const intents = await limited.sandbox.stripeClient.paymentIntents.list({ limit: 100 });
    expect(intents.data).toHaveLength(20);
  } finally {
    await limited.close();
  }
});

async function intentsOf(orderId: string | undefined) {
  const intents = await shop.sandbox.stripeClient.paymentIntents.list({ limit: 100 });
  return intents.data.filter((intent) => intent.metadata.orderId === orderId);
}
