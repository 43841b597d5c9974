import { describe, expect, test } from 'vitest';
import { mailsAbout, type PlacedOrder, pay, placeOrder, readOrder, untilStatus } from '../testing/buyer.ts';
import { runOps } from '../testing/operator.ts';
import { listOrderHistory } from '../testing/order-history.ts';
import { approve, buyWithPaypal, paypalControl, placePaypalOrder } from '../testing/paypal.ts';
import { withShop } from '../testing/shop.ts';
import { waitFor } from '../testing/wait-for.ts';

const shop = await withShop({ worker: true });

describe('ops reconcile', () => {
  test('finds no difference where there is none', async () => {
    await placeOrder(shop);
    const paid = await placeOrder(shop);
    await pay(shop, paid);
    await untilStatus(shop, paid.orderId, 'paid');
    expect(await runOps(shop, ['reconcile', '--report'])).toEqual({
      code: 0,
      out: 'Both sides agree on every order',
      err: '',
    });
  });

  test('finds none when Stripe does not name the charge of a refunded payment', async () => {
    const order = await placeOrder(shop);
    await pay(shop, order);
    await untilStatus(shop, order.orderId, 'paid');
    const { paymentIntentId: match } = order;
    await shop.sandbox.stripeClient.refunds.create({ payment_intent: match, amount: 50_000 });
    await untilStatus(shop, order.orderId, 'partially_refunded');
    shop.sandbox.behaviors.add({ name: 'stripe-late-charge', match });
    expect(await runOps(shop, ['reconcile', '--report'])).toMatchObject({ code: 0 });
  });

  test('reports every difference, repairs the safe ones once, and leaves the others to people', async () => {
    shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
    const unpaidHere = await boughtOrder();
    const forgotten = await boughtOrder();
    await shop.db('orders').where({ id: forgotten.orderId }).update({ payment_intent_id: null });
    const impossible = await placeOrder(shop);
    const facts = {
      captures: { ch_x: { amount: 299_900, currency: 'USD' } },
      refunded: {},
      disputes: {},
      attempt: null,
      decision: null,
    };
    await shop
      .db('orders')
      .where({ id: impossible.orderId })
      .update({ status: 'paid', payment_facts: JSON.stringify(facts) });
    const foreign = { metadata: { app: 'querywright', deployment: 'test', orderId: crypto.randomUUID() } };
    await shop.sandbox.stripeClient.paymentIntents.create({
      amount: 100,
      currency: 'usd',
      confirm: true,
      payment_method: 'pm_card_visa',
      return_url: 'http://localhost/',
      ...foreign,
    });

    const report = await runOps(shop, ['reconcile', '--report', '--json']);
    expect(report.code).toBe(2);
    expect(sorted(report.out)).toEqual(
      [
        [unpaidHere.orderId, 'pending here, paid at the provider', true],
        [forgotten.orderId, 'pending here, paid at the provider', true],
        [impossible.orderId, 'paid here, pending at the provider', false],
        [foreign.metadata.orderId, 'paid at provider, order missing here', false],
      ].sort(),
    );
    expect((await readOrder(shop, unpaidHere.orderId)).status).toBe('pending');

    expect(await runOps(shop, ['reconcile', '--fix'])).toMatchObject({ code: 1 });
    const fixed = await runOps(shop, ['reconcile', '--fix', '--since', '1h', '--yes']);
    expect(fixed.code).toBe(2);
    for (const { orderId } of [unpaidHere, forgotten]) {
      expect((await readOrder(shop, orderId)).status).toBe('paid');
      expect((await listOrderHistory(shop.db, orderId)).at(-1)).toMatchObject({
        to: 'paid',
        cause: 'operator',
      });
      await waitFor('both mails', async () => (await mailsAbout(shop, orderId)).length === 2);
    }
    const left = JSON.parse((await runOps(shop, ['reconcile', '--report', '--json'])).out);
    expect(left).toHaveLength(2);
  }, 60_000);

  test('PayPal: an approved payment is captured, a refund and a dispute whose webhooks were lost are found', async () => {
    shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
    const approved = await placePaypalOrder(shop);
    await approve(shop, approved);
    const bought = await buyWithPaypal(shop);
    const refund = `/captures/${bought.captureId}/refund`;
    await paypalControl(shop, refund, {});
    const disputed = await buyWithPaypal(shop);
    await paypalControl(shop, `/captures/${disputed.captureId}/dispute`);

    const found = sorted((await runOps(shop, ['reconcile', '--report', '--json'])).out);
    expect(found).toContainEqual([approved.orderId, 'approved by the buyer, not captured yet', true]);
    expect(found).toContainEqual([bought.orderId, 'paid here, refunded at the provider', true]);
    expect(found).toContainEqual([disputed.orderId, 'paid here, disputed at the provider', true]);
    await runOps(shop, ['reconcile', '--fix', '--yes']);
    await untilStatus(shop, disputed.orderId, 'disputed');
    await untilStatus(shop, approved.orderId, 'paid');
    await untilStatus(shop, bought.orderId, 'refunded');
  }, 60_000);

  test('lists the orders that it could not check', async () => {
    shop.sandbox.faults.add({ target: 'stripe', mode: 'error', match: '/payment_intents/pi_' });
    const { code, out } = await runOps(shop, ['reconcile', '--report']);
    expect(code).toBe(2);
    expect(out).toContain('could not be asked');
  }, 60_000);

  test('requires an option', async () => {
    expect(await runOps(shop, ['reconcile'])).toMatchObject({ code: 1 });
    expect(await runOps(shop, ['reconcile', '--report', '--since', 'tomorrow'])).toMatchObject({ code: 1 });
  });
});

async function boughtOrder(): Promise<PlacedOrder> {
  const order = await placeOrder(shop);
  await pay(shop, order);
  return order;
}

function sorted(json: string): unknown[] {
  const found: { orderId: string; what: string; safe: boolean }[] = JSON.parse(json);
  return found.map(({ orderId, what, safe }) => [orderId, what, safe]).sort();
}
