import { describe, expect, test } from 'vitest';
import { mailsAbout, pay, placeOrder, post, readOrder, untilStatus } from '../testing/buyer.ts';
import { age, checkNow, untilApplied } from '../testing/inbox.ts';
import { listOrderHistory } from '../testing/order-history.ts';
import { buyWithPaypal, paypalControl } from '../testing/paypal.ts';
import { withShop } from '../testing/shop.ts';
import { buyByCard } from '../testing/stripe.ts';
import { deliver, succeededEvent } from '../testing/stripe-events.ts';
import { waitFor } from '../testing/wait-for.ts';

const shop = await withShop({ worker: true });

test('an order whose webhooks are missing is paid by reconciliation, and only once if they arrive later', async () => {
  shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
  const order = await placeOrder(shop);
  const { latest_charge } = await pay(shop, order);
  await checkNow(shop, order.orderId);

  await untilStatus(shop, order.orderId, 'paid', 25_000);
  await deliver(shop, succeededEvent(order, { latest_charge }));
  await deliver(shop, succeededEvent(order, { latest_charge }));
  await waitFor('the late events are handled', async () => {
    const open = await shop.db('payment_events').where({ status: 'received' });
    return open.length === 0;
  });

  const history = await listOrderHistory(shop.db, order.orderId);
  expect(history.map(({ to, cause }) => [to, cause])).toEqual([
    ['pending', 'order created'],
    ['paid', 'reconciliation'],
  ]);
  await waitFor('both mails', async () => (await mailsAbout(shop, order.orderId)).length === 2);
}, 60_000);

test('an order whose PaymentIntent id was lost is found at the provider', async () => {
  shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
  const order = await placeOrder(shop);
  await pay(shop, order);
  await shop.db('orders').where({ id: order.orderId }).update({ payment_intent_id: null });
  await checkNow(shop, order.orderId);

  await untilStatus(shop, order.orderId, 'paid', 25_000);
}, 60_000);

test('an order unpaid for a day is canceled, at the provider too; money that still arrives wins', async () => {
  const order = await placeOrder(shop);
  await shop.db.raw(`update orders set created_at = now() - interval '25 hours' where id = ?`, [
    order.orderId,
  ]);
  await checkNow(shop, order.orderId);

  await untilStatus(shop, order.orderId, 'canceled', 25_000);
  const intent = await shop.sandbox.stripeClient.paymentIntents.retrieve(order.paymentIntentId);
  expect(intent.status).toBe('canceled');

  await deliver(shop, succeededEvent(order));
  await untilStatus(shop, order.orderId, 'paid');
}, 60_000);

test('an order paid unnoticed within the day is paid, not canceled', async () => {
  shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
  const order = await placeOrder(shop);
  await pay(shop, order);
  await shop.db.raw(`update orders set created_at = now() - interval '25 hours' where id = ?`, [
    order.orderId,
  ]);
  await checkNow(shop, order.orderId);

  await untilStatus(shop, order.orderId, 'paid', 25_000);
}, 60_000);

test('checks missed while no worker ran are not made up for', async () => {
  const { orderId } = await placeOrder(shop);
  await age(shop, orderId, '7 hours');
  await checkNow(shop, orderId);
  const next = await waitFor('it is checked', async () => {
    const order = await shop
      .db('orders')
      .where({ id: orderId })
      .where('checks', '>', 0)
      .first('checks', {
        inHours: shop.db.raw('(extract(epoch from next_check_at - created_at) / 3600)::int'),
      });
    return order ?? undefined;
  });
  expect(next).toEqual({ checks: 1, inHours: 12 });
});

test('the check is retried while the provider is down', async () => {
  shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
  const order = await placeOrder(shop);
  await pay(shop, order);
  shop.sandbox.faults.add({ target: 'stripe', mode: 'error', count: 2 });
  await checkNow(shop, order.orderId);

  await untilStatus(shop, order.orderId, 'paid', 40_000);
}, 60_000);

describe('a settled order is checked every week while it can be disputed', () => {
  test('a refund whose event was lost is found, at Stripe', async () => {
    const { orderId, charge } = await buyByCard(shop);
    await expectNextCheckInAWeek(orderId);
    shop.sandbox.behaviors.add({ name: 'stripe-missing-event' });
    await shop.sandbox.stripeClient.refunds.create({ charge, amount: 100_000 });
    await checkNow(shop, orderId);
    expect((await untilStatus(shop, orderId, 'partially_refunded')).amountRefunded).toBe(100_000);
    await expectNextCheckInAWeek(orderId);
  });

  test('a dispute whose event was lost is found, at Stripe', async () => {
    const { orderId, charge } = await buyByCard(shop);
    shop.sandbox.behaviors.add({ name: 'stripe-missing-event' });
    await post({ url: `${shop.sandbox.url}/stripe/sandbox` }, `/charges/${charge}/dispute`, {});
    await checkNow(shop, orderId);
    await untilStatus(shop, orderId, 'disputed');
  });

  test('a dispute whose event was never made is found, and its end, at PayPal', async () => {
    const { orderId, captureId } = await buyWithPaypal(shop);
    await untilStatus(shop, orderId, 'paid');
    await untilApplied(shop);
    shop.sandbox.behaviors.add({ name: 'paypal-missing-event', match: captureId });
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
    shop.sandbox.behaviors.add({ name: 'paypal-missing-event' });
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
