import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { PayableOrder, PaymentMethod } from '../../core/orders.ts';
import { auditOrder, pay, placeOrder, post, untilStatus } from '../../testing/buyer.ts';
import { withShop } from '../../testing/shop.ts';

const shop = await withShop({ worker: true });

test('an order is paid in another browser by its id: the same order, the same payment', async () => {
  const order = await placeOrder(shop);
  const answer = await payOrder(order.orderId, 'stripe');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(await answer.json()).toEqual({ orderId: order.orderId, clientSecret: order.clientSecret });
});

test('an order keeps its price, and may be paid with the other provider', async () => {
  const order = await placeOrder(shop);
  await shop.db('services').where({ slug: 'audit' }).update({ price: 309_900 });
  try {
    expect(await (await payOrder(order.orderId, 'paypal')).json()).toEqual({ orderId: order.orderId });
  } finally {
    await shop.db('services').where({ slug: 'audit' }).update({ price: auditOrder.amount });
  }
  const charge = { orderId: order.orderId, amount: '2999.00', currency: 'USD', intent: 'CAPTURE' };
  expect((await post(shop, '/api/paypal/order', charge)).status).toBe(200);

  const back = (await (await payOrder(order.orderId, 'stripe')).json()) as PayableOrder;
  expect(back.clientSecret).not.toBe(order.clientSecret);
  const paymentIntentId = back.clientSecret?.split('_secret_')[0] ?? '';
  await pay(shop, { ...order, paymentIntentId });
  await untilStatus(shop, order.orderId, 'paid');
});

test('an order that is paid or unknown gives no secret', async () => {
  const order = await placeOrder(shop);
  await pay(shop, order);
  await untilStatus(shop, order.orderId, 'paid');
  const paid = await payOrder(order.orderId, 'stripe');
  expect([paid.status, (await paid.json()).code]).toEqual([409, 'order_paid']);
  expect((await payOrder(randomUUID(), 'stripe')).status).toBe(404);
});

function payOrder(orderId: string, paymentMethod: PaymentMethod) {
  return post(shop, `/api/orders/${orderId}/payment`, { paymentMethod });
}
