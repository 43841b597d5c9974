import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { pay, placeOrder, untilStatus } from '../testing/buyer.ts';
import { runOps } from '../testing/operator.ts';
import { buyWithPaypal, placePaypalOrder } from '../testing/paypal.ts';
import { withShop } from '../testing/shop.ts';
import { deliver, succeededEvent } from '../testing/stripe-events.ts';

const shop = await withShop({ worker: true });

test('finds an order by its id, its invoice, its payment and its charge', async () => {
  const order = await placeOrder(shop);
  const paid = await pay(shop, order);
  await untilStatus(shop, order.orderId, 'paid');
  for (const known of [
    order.orderId,
    order.orderId.toUpperCase(),
    `querywright-test-${order.orderId}`,
    order.paymentIntentId,
    String(paid.latest_charge),
  ]) {
    expect(await find(known), known).toEqual([order.orderId]);
  }
});

test('finds an order by a payment that the buyer replaced', async () => {
  const key = randomUUID();
  const order = await placeOrder(shop, {}, key);
  const { paypalOrderId } = await placePaypalOrder(shop, key);
  expect(await find(order.paymentIntentId)).toEqual([order.orderId]);
  expect(await find(paypalOrderId)).toEqual([order.orderId]);
});

test('finds the orders of an address, newest first, in any spelling, and no others', async () => {
  const customerEmail = 'Mary.Jackson@example.com';
  const first = await placeOrder(shop, { customerEmail });
  const second = await placeOrder(shop, { customerEmail });
  await placeOrder(shop, { customerEmail: 'mary.jackson@example.org' });
  expect(await find('mary.jackson@EXAMPLE.com')).toEqual([second.orderId, first.orderId]);
});

test('finds an order by prefixes of a name’s words, in any order', async () => {
  const { orderId } = await placeOrder(shop, { customerName: 'Katherine O’Brien-Müller' });
  for (const name of ['katherine', 'brien', 'MÜLL', 'müller kath', "o'brien", 'Katherine O’Brien-Müller']) {
    expect(await find(name), name).toEqual([orderId]);
  }
  for (const name of ['atherine', 'katherine smith']) expect(await find(name), name).toEqual([]);
});

test('text that looks like a query is taken literally', async () => {
  for (const text of [`'`, '\\', 'a & | !b <->', ':*', '%', '', 'select 1;']) {
    expect(await runOps(shop, ['order', 'find', text]), text).toEqual({
      code: 1,
      out: '',
      err: `No order found for ${text}`,
    });
  }
});

test('lists the orders that wait for a decision, and refuses an ambiguous request', async () => {
  expect(await find('--status', 'review')).toEqual([]);
  const order = await placeOrder(shop);
  await deliver(shop, succeededEvent(order, { amount_received: 100 }));
  await untilStatus(shop, order.orderId, 'review');
  expect(await find('--status', 'review')).toEqual([order.orderId]);
  for (const words of [[], ['Ada', '--status', 'review']])
    expect(await runOps(shop, ['order', 'find', ...words])).toMatchObject({
      code: 1,
      err: expect.stringContaining('Pass'),
    });
});

test('shows the newest orders and says whether there are more', async () => {
  const customerEmail = 'many@example.com';
  for (let order = 0; order < 3; order++) await placeOrder(shop, { customerEmail });
  const { code, out, err } = await runOps(shop, ['order', 'find', customerEmail, '--limit', '2']);
  expect(code).toBe(0);
  expect(out.split('\n')).toHaveLength(3);
  expect(out).toContain('$2,999.00');
  expect(err).toBe('The newest 2 orders; --limit shows more');
  expect((await runOps(shop, ['order', 'find', customerEmail, '--limit', '3'])).err).toBe('');
});

test('shows the newest orders of a name or an address that thousands of orders have', async () => {
  const { orderId } = await buyWithPaypal(shop);
  await shop.db.raw(
    `insert into orders (service_id, customer_name, customer_email, payment_method, amount, created_at)
     select service_id, 'Everyone', 'everyone@example.com', 'stripe', amount, now() - n * interval '1 hour'
     from orders, generate_series(1, 2000) as n where id = ?`,
    [orderId],
  );
  const newest = await shop
    .db('orders')
    .where({ customer_name: 'Everyone' })
    .orderBy('created_at', 'desc')
    .limit(20)
    .pluck('id');
  expect(await find('everyone')).toEqual(newest);
  expect(await find('everyone@example.com')).toEqual(newest);
  expect((await runOps(shop, ['order', 'find', 'everyone'])).err).toBe(
    'The newest 20 orders; --limit shows more',
  );
});

/** The ids that the command prints. */
async function find(...words: string[]): Promise<string[]> {
  const { code, out } = await runOps(shop, ['order', 'find', ...words, '--json']);
  expect(code).toBe(out === '' ? 1 : 0);
  return out === '' ? [] : JSON.parse(out).map(({ id }: { id: string }) => id);
}
