import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { makeBackfillsDue } from '../testing/backfills.ts';
import { auditOrder, pay, placeOrder, post, readOrder, untilStatus } from '../testing/buyer.ts';
import { holdCall } from '../testing/held-call.ts';
import { checkNow, jobsOf, untilApplied } from '../testing/inbox.ts';
import { runOps } from '../testing/operator.ts';
import { listOrderHistory } from '../testing/order-history.ts';
import { approve, buyWithPaypal, capture, openPayment } from '../testing/paypal.ts';
import { withShop } from '../testing/shop.ts';
import { deliver, succeededEvent } from '../testing/stripe-events.ts';
import { waitFor } from '../testing/wait-for.ts';

const shop = await withShop({ worker: true });

const oldCopy = { latest_charge: undefined, charges: { object: 'list', data: [] } };

describe('one payment seen in two copies is one payment', () => {
  test('an old event without latest_charge, then the confirm call', async () => {
    shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop', count: 20 });
    const order = await placeOrder(shop);
    const { latest_charge: charge = '' } = await pay(shop, order);
    await deliver(shop, succeededEvent(order, oldCopy));
    await untilStatus(shop, order.orderId, 'paid');
    await confirm(order);
    await expectPaidOnce(order.orderId, charge);
  });

  test('the confirm call, then an old event without latest_charge', async () => {
    shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop', count: 20 });
    const order = await placeOrder(shop);
    const { latest_charge: charge = '' } = await pay(shop, order);
    await confirm(order);
    await untilStatus(shop, order.orderId, 'paid');
    await deliver(shop, succeededEvent(order, oldCopy));
    await expectPaidOnce(order.orderId, charge);
  });

  async function expectPaidOnce(orderId: string, charge: string): Promise<void> {
    await untilApplied(shop);
    expect((await shop.sandbox.stripeClient.charges.retrieve(charge)).refunded).toBe(false);
    expect(
      await shop
        .db('outbox')
        .where({ job: 'refund-duplicate' })
        .whereRaw(`payload->>'orderId' = ?`, [orderId]),
    ).toEqual([]);
    expect(await readOrder(shop, orderId)).toMatchObject({ status: 'paid', amountRefunded: 0 });
  }
});

describe('a switched order is never canceled by its former payment', () => {
  test('when the bank tab of the first payment returns late', async () => {
    const key = randomUUID();
    const byCard = await placeOrder(shop, {}, key);
    await switchToPaypal(key);
    const { status } = (await (await confirm(byCard)).json()) as { status: string };
    expect(status).toBe('pending');
    await expectPayableByPaypal(byCard.orderId);
  });

  test.each(['webhook', 'backfill', 'operator'] as const)(
    'when its cancellation is reported by %s',
    async (source) => {
      if (source !== 'webhook') shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
      const key = randomUUID();
      const byCard = await placeOrder(shop, {}, key);
      await switchToPaypal(key);
      if (source === 'backfill') await makeBackfillsDue(shop.db);
      if (source === 'operator') {
        const looked = await runOps(shop, ['order', 'reconcile', byCard.orderId, '--yes']);
        expect(looked.code).toBe(0);
      } else {
        await waitFor('the cancellation is applied', async () => {
          const rows = await shop
            .db('payment_events')
            .where({ type: 'payment_intent.canceled', source, order_id: byCard.orderId });
          return rows.some(({ status }) => status === 'processed');
        });
      }
      await expectPayableByPaypal(byCard.orderId);
    },
  );

  test('when reconciliation asks before the switch and gets the answer after it', async () => {
    const key = randomUUID();
    const byCard = await placeOrder(shop, {}, key);
    const match = `GET /payment_intents/${byCard.paymentIntentId}`;
    const question = holdCall(shop, 'stripe', { match });
    await checkNow(shop, byCard.orderId);
    await question.received();
    await switchToPaypal(key);
    expect(await checksOf(byCard.orderId)).toEqual(['open']);
    question.release();
    await waitFor('the check is done', async () => (await checksOf(byCard.orderId))[0] === 'done');
    await expectPayableByPaypal(byCard.orderId);
  });

  async function checksOf(orderId: string): Promise<string[]> {
    return (await jobsOf(shop, orderId, 'reconcile-order')).map(({ status }) => status);
  }

  async function switchToPaypal(key: string): Promise<void> {
    const answer = await post(shop, '/api/create-paypal-order', auditOrder, { 'idempotency-key': key });
    expect(answer.status).toBe(200);
  }

  async function expectPayableByPaypal(orderId: string): Promise<void> {
    await untilApplied(shop);
    expect((await readOrder(shop, orderId)).status).toBe('pending');
    const row = await shop
      .db('orders')
      .where({ id: orderId })
      .first('payment_intent_id', 'former_payment_ids');
    expect(row.payment_intent_id).toBeNull();
    expect(row.former_payment_ids).toHaveLength(1);
    const paypalOrderId = await openPayment(shop, orderId);
    await approve(shop, { orderId, paypalOrderId });
    expect(await (await capture(shop, { paypalOrderId })).json()).toEqual({ status: 'COMPLETED' });
    await untilStatus(shop, orderId, 'paid');
  }
});

describe('every report about a payment is a row of the inbox', () => {
  test('a confirm call: stored once for the same answer, applied by the worker', async () => {
    shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop', count: 20 });
    const order = await placeOrder(shop);
    await pay(shop, order);
    for (let i = 0; i < 3; i++) await confirm(order);
    await untilStatus(shop, order.orderId, 'paid');
    expect(await sourcesOf(order.orderId)).toEqual(['confirm call']);
    const history = await listOrderHistory(shop.db, order.orderId);
    expect(history.map(({ to, cause }) => [to, cause])).toEqual([
      ['pending', 'order created'],
      ['paid', 'confirm call'],
    ]);
    expect(history[1]?.paymentEventId).toBeTruthy();
  });

  test('a capture call', async () => {
    shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop', count: 20 });
    const { orderId } = await buyWithPaypal(shop);
    await untilStatus(shop, orderId, 'paid');
    expect(await sourcesOf(orderId)).toEqual(['capture call']);
  });

  test('a webhook delivered fifty times at once settles the order once', async () => {
    const order = await placeOrder(shop);
    const event = succeededEvent(order);
    const answers = await Promise.all(Array.from({ length: 50 }, () => deliver(shop, event)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await untilStatus(shop, order.orderId, 'paid');
    await untilApplied(shop);
    const history = await listOrderHistory(shop.db, order.orderId);
    expect(history.map(({ to }) => to)).toEqual(['pending', 'paid']);
  });

  test('an expired order', async () => {
    shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop', count: 20 });
    const order = await placeOrder(shop);
    await shop
      .db('orders')
      .where({ id: order.orderId })
      .update({ created_at: shop.db.raw(`now() - interval '25 hours'`), next_check_at: shop.db.fn.now() });
    await untilStatus(shop, order.orderId, 'canceled', 20_000);
    expect(await sourcesOf(order.orderId)).toContain('expiry');
  });
});

function confirm({ orderId, paymentIntentId }: { orderId: string; paymentIntentId: string }) {
  return post(shop, '/api/confirm-payment', { orderId, paymentIntentId });
}

async function sourcesOf(orderId: string): Promise<string[]> {
  return shop.db('payment_events').where({ order_id: orderId }).orderBy('id').pluck('source');
}
