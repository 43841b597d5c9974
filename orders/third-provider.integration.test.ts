import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PaypalGateway } from '../providers/paypal/gateway.ts';
import { pay, placeOrder, post, readOrder, untilStatus } from '../testing/buyer.ts';
import { checkNow } from '../testing/inbox.ts';
import { type PaypalPurchase, placePaypalOrder } from '../testing/paypal.ts';
import { type Shop, startShop } from '../testing/shop.ts';
import { ToyGateway } from '../testing/toy-gateway.ts';
import { waitFor } from '../testing/wait-for.ts';

// A provider that implements the interface and nothing else takes PayPal's place, from the HTTP calls to the worker.
const toy = new ToyGateway();
let shop: Shop;
beforeAll(async () => {
  shop = await startShop({
    parts: ({ gateways }) => {
      gateways.paypal = toy as unknown as PaypalGateway;
      return {};
    },
  });
  shop.workerParts.gateways.paypal = toy as unknown as PaypalGateway;
  shop.startWorker();
});
afterAll(() => shop.close());

test('an order is paid by its webhook', async () => {
  const purchase = await buy();
  await deliver(purchase);
  await untilStatus(shop, purchase.orderId, 'paid');
});

test('a forged webhook is refused', async () => {
  const purchase = await placePaypalOrder(shop);
  expect((await deliver(purchase, 'guess')).status).toBe(400);
});

test('an order is paid by the confirm call', async () => {
  const { orderId, paypalOrderId } = await buy();
  await post(shop, '/api/confirm-paypal-payment', { orderId, paypalOrderId });
  await untilStatus(shop, orderId, 'paid');
});

test('an order whose webhook is lost is paid by reconciliation', async () => {
  const { orderId } = await buy();
  await checkNow(shop, orderId);
  await untilStatus(shop, orderId, 'paid');
});

test('a declined payment fails, and an expired order is canceled at the provider', async () => {
  const declined = await placePaypalOrder(shop);
  toy.settle(declined.paypalOrderId, 'declined');
  await deliver(declined);
  await untilStatus(shop, declined.orderId, 'failed');

  const left = await placePaypalOrder(shop);
  const past = shop.db.raw(`now() - interval '25 hours'`);
  await shop.db('orders').where({ id: left.orderId }).update({ created_at: past, next_check_at: past });
  await untilStatus(shop, left.orderId, 'canceled');
  expect(toy.payments.get(left.paypalOrderId)?.status).toBe('canceled');
});

test('the second of two payments is refunded by its own provider', async () => {
  const key = randomUUID();
  const byToy = await placePaypalOrder(shop, key);
  toy.settle(byToy.paypalOrderId, 'paid');
  shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop', count: 1 });
  await shop
    .db('orders')
    .where({ id: byToy.orderId })
    .update({ payment_method: 'stripe', payment_intent_id: null, former_payment_ids: [byToy.paypalOrderId] });
  const byCard = await placeOrder(shop, {}, key);
  await pay(shop, byCard);
  await untilStatus(shop, byToy.orderId, 'paid');
  await deliver(byToy);
  await waitFor('the refund', () => toy.payments.get(byToy.paypalOrderId)?.refundedAt !== undefined);
  expect(await readOrder(shop, byToy.orderId)).toMatchObject({ status: 'paid', amountRefunded: 0 });
});

async function buy(): Promise<PaypalPurchase> {
  const purchase = await placePaypalOrder(shop);
  toy.settle(purchase.paypalOrderId, 'paid');
  return purchase;
}

function deliver({ paypalOrderId }: PaypalPurchase, password = 'swordfish') {
  const event = { id: `toy-${randomUUID()}`, payment: paypalOrderId };
  return post(shop, '/api/webhooks/paypal', event, { 'toy-password': password });
}
