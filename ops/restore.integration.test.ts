/** @module-tag long */
import { describe, expect, test } from 'vitest';
import { mailsAbout, pay, placeOrder, readOrder, untilStatus } from '../testing/buyer.ts';
import { runOps } from '../testing/operator.ts';
import { listOrderHistory } from '../testing/order-history.ts';
import { buyWithPaypal, paypalControl, placePaypalOrder } from '../testing/paypal.ts';
import { withShop } from '../testing/shop.ts';
import { waitFor } from '../testing/wait-for.ts';
import type { Finding } from './findings.ts';

const shop = await withShop({ worker: true });
const reason = ['--reason', 'lost by the restore'];
const create = 'order create-from-provider'.split(' ');

describe('after a restore', () => {
  test('an order that was lost is found, and recreated from its payment with its events', async () => {
    const { orderId, paymentIntentId } = await buyByCard();
    await lose(orderId);
    await runOps(shop, ['events', 'backfill', '--since', '1h', '--yes']);

    const { code, findings } = await check();
    expect(code).toBe(2);
    expect(findings).toEqual([
      expect.objectContaining({
        check: orderId,
        state: 'problem',
        action: expect.stringContaining(`ops order create-from-provider ${paymentIntentId}`),
      }),
    ]);

    const asked = await runOps(shop, [...create, paymentIntentId, ...reason]);
    expect(asked).toMatchObject({ code: 1, err: expect.stringContaining('Pass --yes') });
    const made = await runOps(shop, [...create, paymentIntentId, ...reason, '--yes', '--json']);
    expect(JSON.parse(made.out)).toEqual({ orderId, status: 'paid' });
    expect(await readOrder(shop, orderId)).toMatchObject({ amount: 299_900 });
    const [stored] = await shop.db('orders').where({ id: orderId });
    const { created } = await shop.sandbox.stripeClient.paymentIntents.retrieve(paymentIntentId);
    expect(stored.created_at).toEqual(new Date(created * 1_000));
    expect(stored).toMatchObject({ customer_name: 'Grace Hopper', customer_email: 'grace@example.com' });
    expect(await listOrderHistory(shop.db, orderId)).toMatchObject([
      { to: 'pending', cause: 'recreated: lost by the restore' },
      // By the command's report, or by an event that waited for the order.
      { to: 'paid', cause: expect.stringMatching(/^(?:operator|backfill)$/) },
    ]);
    await waitFor('both mails, again', async () => (await mailsAbout(shop, orderId)).length === 4);

    await waitFor('its events are applied', async () => {
      const open = await shop.db('payment_events').where({ status: 'received' });
      return open.length === 0;
    });
    expect(await check()).toMatchObject({ code: 0, findings: [{ state: 'ok' }] });
    const again = await runOps(shop, [...create, paymentIntentId, ...reason, '--yes']);
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining(`Order ${orderId} exists`) });
  });

  test.each([
    ['by its event', 'deliver'],
    ['by reconciliation, if the event is lost', 'drop'],
  ])('an order whose switch to card was lost is paid %s', async (_how, webhooks) => {
    const { orderId } = await placePaypalOrder(shop);
    const intent = await payUnrecorded({ orderId, amount: 299_900, webhooks });
    if (webhooks === 'drop') {
      expect((await check()).findings).toMatchObject([{ check: orderId, state: 'warning' }]);
      expect(await runOps(shop, ['reconcile', '--fix', '--since', '1h', '--yes'])).toMatchObject({ code: 0 });
    }
    expect(await untilStatus(shop, orderId, 'paid')).toMatchObject({ paymentMethod: 'stripe' });
    await waitFor('both mails', async () => (await mailsAbout(shop, orderId)).length === 2);
    const [notice] = (await mailsAbout(shop, orderId)).filter(({ to }) =>
      to.includes(shop.config.mail.staff),
    );
    expect(notice?.text).toContain(intent.id);
    expect(await check()).toMatchObject({ code: 0 });
  });

  test('a PayPal order that was refunded meanwhile is refunded here too', async () => {
    const { orderId, paypalOrderId, captureId } = await buyWithPaypal(shop);
    await lose(orderId);
    await paypalControl(shop, `/captures/${captureId}/refund`, {});
    const made = await runOps(shop, [...create, paypalOrderId, ...reason, '--yes']);
    expect(made.out).toBe('Created: the order is refunded');
    const [stored] = await shop.db('orders').where({ id: orderId });
    expect(stored).toMatchObject({ customer_name: 'Ada Buyer', customer_email: 'ada.buyer@example.com' });
  });

  test('a PayPal order that was disputed meanwhile is disputed here too', async () => {
    const { orderId, paypalOrderId, captureId } = await buyWithPaypal(shop);
    await lose(orderId);
    await paypalControl(shop, `/captures/${captureId}/dispute`);
    const made = await runOps(shop, [...create, paypalOrderId, ...reason, '--yes']);
    expect(made.out).toBe('Created: the order is disputed');
  });

  test('missing details of the buyer are given as options', async () => {
    const order = await placeOrder(shop);
    await pay(shop, order);
    await untilStatus(shop, order.orderId, 'paid');
    await lose(order.orderId);
    const short = await runOps(shop, [...create, order.paymentIntentId, ...reason, '--yes']);
    expect(short).toMatchObject({ code: 1, err: expect.stringContaining('Pass --name and --email') });
    const buyer = ['--name', 'Ada Lovelace', '--email', 'ada@example.com', '--service', 'migration'];
    const made = await runOps(shop, [...create, order.paymentIntentId, ...reason, ...buyer, '--yes']);
    expect(made.out).toBe('Created: the order is paid');
  });

  test('a payment that names no order is listed, and does not end the check', async () => {
    const { id } = await payUnrecorded({ orderId: 'none' });
    const { findings } = await check();
    expect(findings).toContainEqual({
      check: id,
      state: 'problem',
      found: 'paid, but names no order',
      action: `refund ${id} at the provider`,
    });
  });

  test.each([
    ['of another application', { app: 'another' }, 'is not a payment of ours'],
    ['of another deployment', { deployment: 'staging' }, 'belongs to the deployment staging'],
    ['that names no order', { orderId: 'none' }, 'names no order'],
  ])('no order is made from a payment %s', async (_, changed, refusal) => {
    const { id } = await payUnrecorded(changed);
    const made = await runOps(shop, [...create, id, ...reason, '--yes']);
    expect(made).toMatchObject({ code: 1, err: expect.stringContaining(refusal) });
  });

  test('no order is made from a payment that does not exist', async () => {
    const made = await runOps(shop, [...create, 'pi_none', ...reason, '--yes']);
    expect(made).toMatchObject({ code: 1, err: 'The provider knows no payment pi_none' });
  });

  test('an event that waits while its order is recreated is none of an unpaid order', async () => {
    const { orderId, paymentIntentId } = await buyByCard();
    await lose(orderId);
    await runOps(shop, ['events', 'backfill', '--since', '1h', '--yes']);
    const job = shop.db('outbox').whereLike('last_error', `%${paymentIntentId}`);
    await waitFor('its event waits', async () => (await job.clone().update({ status: 'dead' })) === 1);
    await runOps(shop, [...create, paymentIntentId, ...reason, '--yes']);
    const [{ id }] = await job.clone().select('id');
    const listed = async () =>
      (await check()).findings.filter(({ check: subject }) => [orderId, paymentIntentId].includes(subject));
    expect(await listed()).toMatchObject([{ action: `ops jobs retry ${id}` }]);
    await job.clone().update({ status: 'open', due_at: shop.db.raw(`now() + interval '1 hour'`) });
    expect(await listed()).toEqual([]);
    await job.clone().update({ due_at: shop.db.fn.now() });
    await waitFor('it is applied', async () => (await job.clone().where({ status: 'open' })).length === 0);
  });

  test('an event of an order that was lost unpaid is listed, and ended', async () => {
    const order = await placeOrder(shop);
    await lose(order.orderId);
    await pay(shop, order, 'pm_card_chargeDeclined');
    const found = await waitFor('it is listed', async () =>
      (await check()).findings.find(({ check: subject }) => subject === order.paymentIntentId),
    );
    const made = await runOps(shop, [...create, order.paymentIntentId, ...reason, '--yes']);
    expect(made).toMatchObject({ code: 1, err: expect.stringContaining('took no money') });
    const [, id = ''] = /ops jobs discard (\d+)/.exec(found.action ?? '') ?? [];
    const ended = await runOps(shop, ['jobs', 'discard', id, '--reason', 'order lost unpaid', '--yes']);
    expect(ended).toMatchObject({ code: 0, out: `Discarded: ${id}` });
    expect(
      (await check()).findings.filter(({ check: subject }) => subject === order.paymentIntentId),
    ).toEqual([]);
  });
});

/** With the buyer's name and address on the card, as the checkout sends them. */
async function buyByCard() {
  const order = await placeOrder(shop);
  const { id } = await shop.sandbox.stripeClient.paymentMethods.create({
    type: 'card',
    card: { number: '4242424242424242', exp_month: 12, exp_year: 2099 },
    billing_details: { name: 'Grace Hopper', email: 'grace@example.com' },
  });
  await pay(shop, order, id);
  await untilStatus(shop, order.orderId, 'paid');
  await waitFor('both mails', async () => (await mailsAbout(shop, order.orderId)).length === 2);
  return order;
}

/** A payment that is on no order's row. */
async function payUnrecorded({
  amount = 100,
  webhooks = 'deliver',
  ...changed
}: Partial<Record<'app' | 'deployment' | 'orderId' | 'webhooks', string>> & { amount?: number }) {
  if (webhooks === 'drop') shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
  return shop.sandbox.stripeClient.paymentIntents.create({
    amount,
    currency: 'usd',
    confirm: true,
    payment_method: 'pm_card_visa',
    return_url: 'http://localhost/',
    metadata: { app: 'querywright', deployment: 'test', orderId: crypto.randomUUID(), ...changed },
  });
}

/** As a restore to a time before the order does. */
async function lose(orderId: string): Promise<void> {
  const tables = ['emails', 'order_history', 'payment_events'];
  await waitFor('no event of the order is on its way', async () => {
    for (const table of tables) await shop.db(table).where({ order_id: orderId }).delete();
    return shop.db('orders').where({ id: orderId }).delete();
  });
}

async function check() {
  const { code, out } = await runOps(shop, ['restore', 'check', '--since', '1h', '--json']);
  return { code, findings: JSON.parse(out) as Finding[] };
}
