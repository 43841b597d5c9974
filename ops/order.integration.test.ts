import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { statusText } from '../core/order-texts.ts';
import { readOrderStatus } from '../db/order-status.ts';
import { mailsAbout, pay, placeOrder, readOrder, untilStatus } from '../testing/buyer.ts';
import { emailsOf } from '../testing/inbox.ts';
import { runOps } from '../testing/operator.ts';
import { listOrderHistory } from '../testing/order-history.ts';
import { request } from '../testing/request.ts';
import { type Shop, startShop } from '../testing/shop.ts';
import { deliver, succeededEvent } from '../testing/stripe-events.ts';
import { waitFor } from '../testing/wait-for.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await startShop({ site: true });
  shop.startWorker();
});
afterEach(() => shop.sandbox.faults.clear());
afterAll(() => shop.close());

test('the help lists every command', async () => {
  const { out, code } = await runOps(shop, ['--help']);
  expect(code).toBe(0);
  expect(out).toContain('order show <id>');
  expect(out).toContain('order decide <id> <status>');
});

test('an unknown or invalid order id is reported with exit code 1', async () => {
  for (const id of [crypto.randomUUID(), 'nonsense']) {
    expect(await runOps(shop, ['order', 'show', id])).toEqual({
      code: 1,
      out: '',
      err: `Order ${id} not found`,
    });
  }
});

describe('order reconcile', () => {
  test('settles an order whose webhooks never arrived, in the operator’s name, once confirmed', async () => {
    shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
    const { orderId, ...order } = await placeOrder(shop);
    await pay(shop, { orderId, ...order });

    const unattended = await runOps(shop, ['order', 'reconcile', orderId]);
    expect(unattended).toMatchObject({ code: 1, err: expect.stringContaining('--yes') });
    const declined = await runOps(shop, ['order', 'reconcile', orderId], 'n');
    expect(declined).toMatchObject({ code: 1, err: expect.stringContaining('Nothing was changed') });
    expect((await readOrder(shop, orderId)).status).toBe('pending');

    const done = await runOps(shop, ['order', 'reconcile', orderId], 'y');
    expect(done).toMatchObject({ code: 0, out: 'pending here, paid at the provider: the order is paid' });
    const history = await listOrderHistory(shop.db, orderId);
    expect(history.at(-1)).toMatchObject({ to: 'paid', cause: 'operator' });
    await waitFor('both mails', async () => (await mailsAbout(shop, orderId)).length === 2);

    const again = await runOps(shop, ['order', 'reconcile', orderId, '--json']);
    expect(JSON.parse(again.out)).toMatchObject({ before: 'paid', after: 'paid' });
  }, 60_000);

  test('changes nothing while the provider does not answer', async () => {
    const { orderId } = await placeOrder(shop);
    shop.sandbox.faults.add({ target: 'stripe', mode: 'error' });
    await expect(runOps(shop, ['order', 'reconcile', orderId, '--yes'])).rejects.toThrow();
    expect((await readOrder(shop, orderId)).status).toBe('pending');
  });
});

describe('order decide', () => {
  test('ends a review by the operator’s decision', async () => {
    const order = await placeOrder(shop);
    await deliver(shop, succeededEvent(order, { amount_received: 100 }));
    await untilStatus(shop, order.orderId, 'review');

    const decided = await runOps(shop, ['order', 'decide', order.orderId, 'paid', '--yes']);
    expect(decided).toMatchObject({ code: 0, out: 'Decided: the order is paid' });
    const history = await listOrderHistory(shop.db, order.orderId);
    expect(history.at(-1)).toMatchObject({ from: 'review', to: 'paid', cause: 'operator' });
  });

  test('is corrected by a later decision: the order counts as unpaid, and the buyer is notified', async () => {
    const order = await placeOrder(shop);
    const { orderId: id } = order;
    await deliver(shop, succeededEvent(order, { amount_received: 100 }));
    await untilStatus(shop, id, 'review');
    await runOps(shop, ['order', 'decide', id, 'paid', '--yes']);
    const receipt = await waitFor('the receipt', async () =>
      (await mailsAbout(shop, id)).find(({ subject }) => subject.includes('receipt for')),
    );
    expect(receipt.text).toMatch(/Amount paid \(USD\) +\$1\.00/);

    const corrected = await runOps(shop, ['order', 'decide', id, 'canceled', '--yes']);

    expect(corrected).toMatchObject({ code: 0, out: 'Decided: the order is canceled' });
    expect(await shop.db('orders').where({ id }).first('status', 'paid_at')).toEqual({
      status: 'canceled',
      paid_at: null,
    });
    expect(await emailsOf(shop, id, 'order_canceled')).toHaveLength(1);
  });

  test('cancels an order, and its page still reports the money that was received', async () => {
    const order = await placeOrder(shop);
    await deliver(shop, succeededEvent(order, { amount_received: 100 }));
    await untilStatus(shop, order.orderId, 'review');

    await runOps(shop, ['order', 'decide', order.orderId, 'canceled', '--yes']);
    expect(await emailsOf(shop, order.orderId, 'order_canceled')).toHaveLength(1);

    const canceled = await readOrder(shop, order.orderId);
    expect(canceled).toMatchObject({ status: 'canceled', moneyTaken: 'held' });
    expect(statusText(canceled).text).not.toMatch(/nothing was charged/i);
    expect(await readOrderStatus(shop.db, order.orderId)).toMatchObject({ moneyTaken: 'held' });
    const page = await request(`${shop.url}/success?orderId=${order.orderId}`);
    expect(await page.text()).toContain('have not returned all of it');
  });

  test('refuses that money in another currency pays for the order', async () => {
    const order = await placeOrder(shop);
    await deliver(shop, succeededEvent(order, { currency: 'eur' }));
    await untilStatus(shop, order.orderId, 'review');

    const refused = await runOps(shop, ['order', 'decide', order.orderId, 'paid', '--yes']);

    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('another currency') });
    expect((await readOrder(shop, order.orderId)).status).toBe('review');
    const canceled = await runOps(shop, ['order', 'decide', order.orderId, 'canceled', '--yes']);
    expect(canceled).toMatchObject({ code: 0, out: 'Decided: the order is canceled' });
  });

  test('refuses an order that is not in review, and an unknown status', async () => {
    const { orderId } = await placeOrder(shop);
    const refused = await runOps(shop, ['order', 'decide', orderId, 'paid', '--yes']);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('this one is pending') });
    expect(await runOps(shop, ['order', 'decide', orderId, 'disputed', '--yes'])).toMatchObject({ code: 1 });
    expect((await readOrder(shop, orderId)).status).toBe('pending');
  });
});
