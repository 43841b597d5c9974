import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { auditOrder, pay, placeOrder, post, readOrder, untilStatus } from '../testing/buyer.ts';
import { age, checkNow, untilApplied } from '../testing/inbox.ts';
import { buyWithPaypal, paypalControl } from '../testing/paypal.ts';
import { withShop } from '../testing/shop.ts';
import { buyByCard } from '../testing/stripe.ts';

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

describe('a settled order is checked every week while it can be disputed', () => {
  test('a refund whose event was lost is found, at Stripe', async () => {
    const { orderId, charge } = await buyByCard(shop);
    await expectNextCheckInAWeek(orderId);
    shop.sandbox.behaviours.add({ name: 'stripe-missing-event' });
    await shop.sandbox.stripeClient.refunds.create({ charge, amount: 100_000 });
    await checkNow(shop, orderId);
    expect((await untilStatus(shop, orderId, 'partially_refunded')).amountRefunded).toBe(100_000);
    await expectNextCheckInAWeek(orderId);
  });

  test('a dispute whose event was lost is found, at Stripe', async () => {
    const { orderId, charge } = await buyByCard(shop);
    shop.sandbox.behaviours.add({ name: 'stripe-missing-event' });
    await post({ url: `${shop.sandbox.url}/stripe/sandbox` }, `/charges/${charge}/dispute`, {});
    await checkNow(shop, orderId);
    await untilStatus(shop, orderId, 'disputed');
  });

  test('a dispute whose event was never made is found, and its end, at PayPal', async () => {
    const { orderId, captureId } = await buyWithPaypal(shop);
    await untilStatus(shop, orderId, 'paid');
    await untilApplied(shop);
    shop.sandbox.behaviours.add({ name: 'paypal-missing-event', match: captureId });
    const { dispute_id: id } = await paypalControl<{ dispute_id: string }>(
      shop,
      `/captures/${captureId}/dispute`,
    );
    await checkNow(shop, orderId);
    await untilStatus(shop, orderId, 'disputed');
    await paypalControl(shop, `/disputes/${id}/resolve`, { outcome: 'won' });
    await checkNow(shop, orderId);
    await untilStatus(shop, orderId, 'paid');
  });

  test('a check at PayPal without the permission for disputes finds the rest', async () => {
    const { orderId, captureId } = await buyWithPaypal(shop);
    await untilStatus(shop, orderId, 'paid');
    await untilApplied(shop);
    shop.sandbox.behaviours.add({ name: 'paypal-missing-event' });
    shop.sandbox.faults.add({ target: 'paypal', mode: 'error', code: 403, match: '/v1/customer/disputes' });
    await paypalControl(shop, `/captures/${captureId}/refund`);
    await checkNow(shop, orderId);
    expect((await untilStatus(shop, orderId, 'refunded')).amountRefunded).toBe(299_900);
  });

  test('a refund whose event was lost is found, at PayPal', async () => {
    const { orderId, captureId } = await buyWithPaypal(shop);
    await untilStatus(shop, orderId, 'paid');
    await untilApplied(shop);
    shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
    await paypalControl(shop, `/captures/${captureId}/refund`);
    await checkNow(shop, orderId);
    expect((await untilStatus(shop, orderId, 'refunded')).amountRefunded).toBe(299_900);
  });

  test('and no longer after half a year', async () => {
    const { orderId } = await buyByCard(shop);
    await shop
      .db('orders')
      .where({ id: orderId })
      .update({ paid_at: shop.db.raw(`now() - interval '181 days'`), next_check_at: shop.db.fn.now() });
    await expect.poll(() => nextCheckOf(orderId), { timeout: 10_000 }).toBeNull();
    expect((await readOrder(shop, orderId)).status).toBe('paid');
  });

  async function expectNextCheckInAWeek(orderId: string): Promise<void> {
    const at = await nextCheckOf(orderId);
    const days = ((at?.getTime() ?? 0) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThan(7.1);
  }

  async function nextCheckOf(orderId: string): Promise<Date | null> {
    return (await shop.db('orders').where({ id: orderId }).first('next_check_at')).next_check_at;
  }
});
