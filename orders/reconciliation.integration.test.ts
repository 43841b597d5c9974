import { expect, test } from 'vitest';
import { mailsAbout, pay, placeOrder, untilStatus } from '../testing/buyer.ts';
import { age, checkNow } from '../testing/inbox.ts';
import { listOrderHistory } from '../testing/order-history.ts';
import { withShop } from '../testing/shop.ts';
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

test('checks that no worker was there to make are not made up for', async () => {
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
