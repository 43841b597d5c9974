import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { auditOrder, pay, placeOrder, post, untilStatus } from '../testing/buyer.ts';
import { age, checkNow } from '../testing/inbox.ts';
import { withShop } from '../testing/shop.ts';

const shop = await withShop({ worker: true });

describe('the same key again, by either method', () => {
  test('of an expired order is refused, and gives no secret of a canceled payment', async () => {
    const key = randomUUID();
    const { orderId } = await placeOrder(shop, {}, key);
    await age(shop, orderId, '25 hours');
    await checkNow(shop, orderId);
    await untilStatus(shop, orderId, 'canceled');
    await expectRefused(key, 'order_expired');
  });

  test('of a paid order is refused', async () => {
    const key = randomUUID();
    const order = await placeOrder(shop, {}, key);
    await pay(shop, order);
    await untilStatus(shop, order.orderId, 'paid');
    await expectRefused(key, 'order_paid');
  });

  test('of an order whose bank debit is processing is refused', async () => {
    const key = randomUUID();
    const order = await placeOrder(shop, {}, key);
    await pay(shop, order, 'pm_usBankAccount');
    await untilStatus(shop, order.orderId, 'processing');
    await expectRefused(key, 'payment_in_progress');
  });

  test('of a payable order keeps its first price after the catalogue’s has changed', async () => {
    const key = randomUUID();
    const { orderId } = await placeOrder(shop, {}, key);
    await shop.db('services').where({ slug: 'audit' }).update({ price: 309_900 });
    try {
      for (const path of paths) {
        const answer = await post(shop, path, auditOrder, { 'idempotency-key': key });
        expect(answer.status).toBe(200);
        expect(await answer.json()).toMatchObject({ orderId });
      }
      const fresh = await post(shop, paths[0], auditOrder, { 'idempotency-key': randomUUID() });
      expect(await fresh.json()).toMatchObject({ code: 'price_changed' });
    } finally {
      await shop.db('services').where({ slug: 'audit' }).update({ price: 299_900 });
    }
  });

  const paths = ['/api/create-payment-intent', '/api/create-paypal-order'] as const;

  async function expectRefused(key: string, code: string): Promise<void> {
    for (const path of paths) {
      const answer = await post(shop, path, auditOrder, { 'idempotency-key': key });
      expect(answer.status).toBe(409);
      const body = await answer.json();
      expect(body).toMatchObject({ code });
      expect(body).not.toHaveProperty('clientSecret');
    }
  }
});
