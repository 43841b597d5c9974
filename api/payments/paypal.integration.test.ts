import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { auditOrder, pay, placeOrder, post, readOrder, untilStatus } from '../../testing/buyer.ts';
import { untilIdle } from '../../testing/inbox.ts';
import { approve, capture, openPayment, placePaypalOrder } from '../../testing/paypal.ts';
import { withShop } from '../../testing/shop.ts';
import { timedBeside } from '../../testing/timed.ts';

const shop = await withShop({ worker: true });

// The worker asks PayPal about the approvals of earlier tests: it would meet the faults of this one, or be counted in it.
beforeEach(() => untilIdle(shop));

test('the browser gets a new client token that must not be cached', async () => {
  const answer = await fetch(`${shop.url}/api/paypal/setup`);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(await answer.json()).toEqual({ clientToken: expect.stringMatching(/^\S{20,}$/) });
});

test('the same key is the same order, and the same order the same payment, also 20 times at once', async () => {
  const key = randomUUID();
  const { orderId, paypalOrderId } = await placePaypalOrder(shop, key);
  const again = await Promise.all(Array.from({ length: 20 }, () => placePaypalOrder(shop, key)));
  expect(new Set(again.map((purchase) => purchase.orderId))).toEqual(new Set([orderId]));
  expect(new Set(again.map((purchase) => purchase.paypalOrderId))).toEqual(new Set([paypalOrderId]));
});

describe('asking PayPal for a payment', () => {
  const wish = { amount: '2999.00', currency: 'USD', intent: 'CAPTURE' };

  test.each<[string, object, number, string, string | undefined]>([
    ['another amount', { amount: '1.00' }, 409, 'The price of this order is $2,999.00.', 'amount'],
    ['an amount that is a number', { amount: 2999 }, 400, 'Amount must be', 'amount'],
    ['an amount with three decimals', { amount: '2999.001' }, 400, 'Amount must be', 'amount'],
    ['a negative amount', { amount: '-2999.00' }, 400, 'Amount must be', 'amount'],
    ['another currency', { currency: 'EUR' }, 400, 'Currency must be USD', 'currency'],
    ['another intent', { intent: 'AUTHORIZE' }, 400, 'Intent must be CAPTURE', 'intent'],
    ['an order id that is none', { orderId: '17' }, 400, 'Order id must be a UUID', 'orderId'],
    ['no order id', { orderId: undefined }, 400, 'Order id must be a UUID', 'orderId'],
    ['an unknown order', { orderId: randomUUID() }, 404, 'Order not found', undefined],
    ['an unknown key', { discount: 1 }, 400, 'Unknown field', 'discount'],
  ])('with %s is refused', async (_what, odd, status, message, field) => {
    const { orderId } = await placePaypalOrder(shop);
    const before = shop.sandbox.paypal.exchanges.length;
    const answer = await post(shop, '/api/paypal/order', { orderId, ...wish, ...odd });
    expect(answer.status).toBe(status);
    const body = (await answer.json()) as { message: string; fields?: Record<string, string> };
    expect(body.message).toContain(message);
    expect(Object.keys(body.fields ?? {})).toEqual(field ? [field] : []);
    expect(shop.sandbox.paypal.exchanges).toHaveLength(before);
  });

  test('for an order that is to be paid by card is refused', async () => {
    const { orderId } = await placeOrder(shop);
    expect((await post(shop, '/api/paypal/order', { orderId, ...wish })).status).toBe(409);
  });

  test('for an order that is paid is refused', async () => {
    const purchase = await placePaypalOrder(shop);
    await approve(shop, purchase);
    await capture(shop, purchase);
    const answer = await post(shop, '/api/paypal/order', { orderId: purchase.orderId, ...wish });
    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain('already paid');
  });

  test('makes a new payment when PayPal has forgotten the first', async () => {
    const { orderId, paypalOrderId } = await placePaypalOrder(shop);
    shop.sandbox.paypal.context.state.orders.delete(paypalOrderId);
    const second = await openPayment(shop, orderId);
    expect(second).not.toBe(paypalOrderId);
    await approve(shop, { orderId, paypalOrderId: second });
    expect(await (await capture(shop, { paypalOrderId: second })).json()).toEqual({ status: 'COMPLETED' });
    expect((await readOrder(shop, orderId)).status).toBe('paid');
  });
});

describe('capturing', () => {
  test('a payment without approval is refused', async () => {
    const purchase = await placePaypalOrder(shop);
    const answer = await capture(shop, purchase);
    expect(answer.status).toBe(409);
    expect((await readOrder(shop, purchase.orderId)).status).toBe('pending');
  });

  test.each([
    ['something that is no id', '..%2F..%2Fetc', 400],
    ['a NUL byte', 'A%00B', 400],
    ['an unknown id', '0AAAAAAAAAAAAAAAA', 404],
  ])('%s is refused', async (_what, paypalOrderId, status) => {
    const before = shop.sandbox.paypal.exchanges.length;
    expect((await capture(shop, { paypalOrderId })).status).toBe(status);
    expect(shop.sandbox.paypal.exchanges).toHaveLength(before);
  });

  test('a card order’s PaymentIntent is not a PayPal payment', async () => {
    const { paymentIntentId } = await placeOrder(shop);
    expect((await capture(shop, { paypalOrderId: paymentIntentId })).status).toBe(400);
  });
});

test('confirming trusts PayPal, not the browser', async () => {
  const { orderId, paypalOrderId } = await placePaypalOrder(shop);
  const confirmed = await post(shop, '/api/confirm-paypal-payment', { orderId, paypalOrderId });
  expect(await confirmed.json()).toEqual({ status: 'pending' });
});

test('confirming with another order’s payment is refused, whether or not either is paid', async () => {
  const paid = await placePaypalOrder(shop);
  await approve(shop, paid);
  await capture(shop, paid);
  const open = await placePaypalOrder(shop);
  const answer = await post(shop, '/api/confirm-paypal-payment', {
    orderId: open.orderId,
    paypalOrderId: paid.paypalOrderId,
  });
  expect(answer.status).toBe(409);
  expect((await readOrder(shop, open.orderId)).status).toBe('pending');
});

describe('while PayPal', () => {
  test.each([
    ['answers 500', { mode: 'error' }],
    ['cuts the connection', { mode: 'drop' }],
    ['hangs', { mode: 'timeout' }],
  ] as const)(
    '%s, the buyer reads so within 10 s and the order stays payable',
    async (_what, fault) => {
      const { orderId } = (await (
        await post(shop, '/api/create-paypal-order', auditOrder, { 'idempotency-key': randomUUID() })
      ).json()) as { orderId: string };
      shop.sandbox.faults.add({ target: 'paypal', ...fault });
      const body = { orderId, amount: '2999.00', currency: 'USD', intent: 'CAPTURE' };
      const refused = await timedBeside(
        () => post(shop, '/api/paypal/order', body),
        () => placeOrder(shop),
      );
      expect(refused.ms).toBeLessThan(10_000 + refused.usualMs);
      expect(refused.result.status).toBe(503);
      expect(await refused.result.json()).toMatchObject({ message: 'Failed to create PayPal order' });

      shop.sandbox.faults.clear();
      const paypalOrderId = await openPayment(shop, orderId);
      await approve(shop, { orderId, paypalOrderId });
      expect(await (await capture(shop, { paypalOrderId })).json()).toEqual({ status: 'COMPLETED' });
    },
    30_000,
  );

  test('refuses our access token, a new one is requested', async () => {
    const { orderId, paypalOrderId } = await placePaypalOrder(shop);
    const match = `GET /v2/checkout/orders/${paypalOrderId}`;
    shop.sandbox.faults.add({ target: 'paypal', mode: 'error', code: 401, match, count: 1 });
    // Counts the requests for a token.
    const token = shop.sandbox.faults.add({
      target: 'paypal',
      mode: 'slow',
      ms: 1,
      match: '/v1/oauth2/token',
    });
    await openPayment(shop, orderId);
    expect(shop.sandbox.faults.list()).toEqual([{ ...token, matched: 1 }]);
  });

  test('issues no access token for a while, later calls get one', async () => {
    const { orderId, paypalOrderId } = await placePaypalOrder(shop);
    const match = `GET /v2/checkout/orders/${paypalOrderId}`;
    shop.sandbox.faults.add({ target: 'paypal', mode: 'error', code: 401, match, count: 1 });
    shop.sandbox.faults.add({ target: 'paypal', mode: 'error', match: 'token' });
    const body = { orderId, amount: '2999.00', currency: 'USD', intent: 'CAPTURE' };
    expect((await post(shop, '/api/paypal/order', body)).status).toBe(503);
    shop.sandbox.faults.clear();
    await openPayment(shop, orderId);
  });
});

describe('the buyer turns to the other way of paying', () => {
  test('from card to PayPal: one order, and the card’s payment is canceled first', async () => {
    const key = randomUUID();
    const byCard = await placeOrder(shop, {}, key);
    const byPaypal = await placePaypalOrder(shop, key);
    expect(byPaypal.orderId).toBe(byCard.orderId);
    expect((await pay(shop, byCard)).error?.code).toBe('payment_intent_unexpected_state');

    await approve(shop, byPaypal);
    await capture(shop, byPaypal);
    expect(await readOrder(shop, byCard.orderId)).toMatchObject({ status: 'paid', paymentMethod: 'paypal' });
  });

  test('there and back again: the card pays with a new PaymentIntent, what PayPal approved is not taken', async () => {
    const key = randomUUID();
    const first = await placeOrder(shop, {}, key);
    const byPaypal = await placePaypalOrder(shop, key);
    const second = await placeOrder(shop, {}, key);
    expect(second.orderId).toBe(first.orderId);
    expect(second.paymentIntentId).not.toBe(first.paymentIntentId);
    await approve(shop, byPaypal);
    expect((await capture(shop, byPaypal)).status).toBe(404);
    expect((await pay(shop, second)).status).toBe('succeeded');
  });

  test('an order that was paid meanwhile cannot be switched', async () => {
    const key = randomUUID();
    const byCard = await placeOrder(shop, {}, key);
    await pay(shop, byCard);
    const answer = await post(shop, '/api/create-paypal-order', auditOrder, { 'idempotency-key': key });
    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain('already paid');
    await untilStatus(shop, byCard.orderId, 'paid');
    expect((await readOrder(shop, byCard.orderId)).paymentMethod).toBe('stripe');
  });

  test('with Stripe down, PayPal still takes the order', async () => {
    const key = randomUUID();
    const { orderId } = await placeOrder(shop, {}, key);
    shop.sandbox.faults.add({ target: 'stripe', mode: 'error' });
    expect((await placePaypalOrder(shop, key)).orderId).toBe(orderId);
  });
});
