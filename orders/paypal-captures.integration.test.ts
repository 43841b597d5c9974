import { randomUUID } from 'node:crypto';
import { behaviors } from '@querywright/sandbox/behaviors';
import { describe, expect, test } from 'vitest';
import { findOrder } from '../db/orders.ts';
import { enqueue } from '../db/outbox.ts';
import { captureOutcome, declineReasons } from '../providers/paypal/capture-issues.ts';
import { pay, placeOrder, post, readOrder, untilStatus } from '../testing/buyer.ts';
import { age, checkNow, emailsOf, jobsOf, untilApplied, untilHandled } from '../testing/inbox.ts';
import {
  approve,
  capture,
  captureOf,
  capturesOf,
  deliverPaypal,
  expectOneCapture,
  openPayment,
  type PaypalPurchase,
  paypalControl,
  paypalEvent,
  placePaypalOrder,
} from '../testing/paypal.ts';
import { withShop } from '../testing/shop.ts';
import { timedBeside } from '../testing/timed.ts';
import { waitFor } from '../testing/wait-for.ts';

const shop = await withShop({ worker: true });

describe('two captures at once', () => {
  test.each([
    ['409', 400],
    ['422', 400],
    ['500', 400],
    // The second asks again, under another id, while the first is still in progress.
    ['422', 2_500],
  ] as const)(
    'take the money once, and neither caller gets an error: the second fails with %s, the first takes %i ms',
    async (value, ms) => {
      shop.sandbox.behaviors.add({ name: 'paypal-concurrent-capture', value, ms, count: 1 });
      const purchase = await placePaypalOrder(shop);
      await approve(shop, purchase);
      const answers = await Promise.all([capture(shop, purchase), capture(shop, purchase)]);
      const bodies = await Promise.all(answers.map((answer) => answer.json()));
      for (const body of bodies) expect(['COMPLETED', 'PENDING']).toContain(body.status);
      await expectPaidOnce(purchase);
    },
  );

  test('the second is still undecided after our last check: the buyer waits on the order’s page', async () => {
    shop.sandbox.behaviors.add({ name: 'paypal-concurrent-capture', ms: 3_000, count: 1 });
    const purchase = await placePaypalOrder(shop);
    await approve(shop, purchase);
    const first = capture(shop, purchase);
    await expect.poll(() => shop.sandbox.behaviors.list()).toEqual([]);
    expect(await (await capture(shop, purchase)).json()).toEqual({ status: 'PENDING' });
    expect(await (await first).json()).toEqual({ status: 'COMPLETED' });
    await expectPaidOnce(purchase);
  });

  test('the browser and the webhook, which waits for the browser', async () => {
    shop.sandbox.behaviors.add({ name: 'paypal-slow-capture', ms: 1_500, count: 1 });
    const purchase = await placePaypalOrder(shop);
    await approve(shop, purchase);
    expect(await (await capture(shop, purchase)).json()).toEqual({ status: 'COMPLETED' });
    await expectPaidOnce(purchase);
  });
});

describe('a capture without an answer', () => {
  test.each([
    ['takes longer than we wait', { mode: 'slow', ms: 9_000 }],
    ['is not answered while PayPal is down', { mode: 'error' }],
  ] as const)(
    'that %s is pending for the buyer, and paid in the end',
    async (_what, fault) => {
      const purchase = await placePaypalOrder(shop);
      await approve(shop, purchase);
      shop.sandbox.faults.add({ target: 'paypal', match: '/capture', ...fault });
      const captured = await timedBeside(
        () => capture(shop, purchase),
        () => placeOrder(shop),
      );
      expect(await captured.result.json()).toEqual({ status: 'PENDING' });
      expect(captured.ms).toBeLessThan(10_000 + captured.usualMs);
      shop.sandbox.faults.clear();
      await untilStatus(shop, purchase.orderId, 'paid', 30_000);
      await expectPaidOnce(purchase);
    },
    60_000,
  );
});

const issues = behaviors['paypal-capture-issue'].values;

test.each(issues)('a capture refused for %s has its considered outcome', async (value) => {
  // The worker would ask again.
  shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
  const purchase = await placePaypalOrder(shop);
  await approve(shop, purchase);
  shop.sandbox.behaviors.add({ name: 'paypal-capture-issue', value, match: purchase.paypalOrderId });
  const answer = await capture(shop, purchase);
  const body = await answer.json();
  const outcome = captureOutcome(value);
  switch (outcome) {
    case 'captured':
    case 'pending':
      expect(body).toEqual({ status: 'PENDING' });
      break;
    case 'retry':
    case 'other method':
      expect(body).toEqual({
        status: 'DECLINED',
        reason: declineReasons[outcome],
        canRetry: outcome === 'retry',
      });
      await untilStatus(shop, purchase.orderId, 'failed');
      break;
    case 'not approved':
      expect([answer.status, body.code]).toEqual([409, 'payment_not_approved']);
      break;
    case 'ours':
      expect([answer.status, body.code]).toEqual([502, 'provider_refused']);
  }
  if (outcome !== 'retry' && outcome !== 'other method') {
    expect((await readOrder(shop, purchase.orderId)).status).toBe('pending');
  }
});

test('a capture that PayPal’s stored answer calls in progress is asked for again under another id', async () => {
  const { purchase, answer } = await captureWith('ORDER_COMPLETION_IN_PROGRESS');
  expect(answer).toMatchObject({ status: 'COMPLETED' });
  await expectPaidOnce(purchase);
});

test('a capture for which the buyer has to act again waits for the next approval', async () => {
  shop.sandbox.behaviors.add({ name: 'paypal-capture-issue', value: 'PAYER_ACTION_REQUIRED', count: 1 });
  const purchase = await placePaypalOrder(shop);
  await approve(shop, purchase);
  await expect.poll(() => shop.sandbox.behaviors.list(), { timeout: 10_000 }).toEqual([]);
  await waitFor('nothing is left to do', async () => {
    return (await shop.db('outbox').where({ status: 'open', queue: 'payments' })).length === 0;
  });
  expect((await readOrder(shop, purchase.orderId)).status).toBe('pending');
  await approve(shop, purchase);
  expect(await (await capture(shop, purchase)).json()).toEqual({ status: 'COMPLETED' });
  await expectPaidOnce(purchase);
});

test('each approval is captured with its own request id', async () => {
  shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
  const purchase = await placePaypalOrder(shop);
  for (const _card of ['first', 'second', 'third']) {
    await approve(shop, purchase, 'declined');
    expect(await (await capture(shop, purchase)).json()).toMatchObject({
      status: 'DECLINED',
      canRetry: true,
    });
    await untilApplied(shop);
  }
  await approve(shop, purchase);
  expect(await (await capture(shop, purchase)).json()).toEqual({ status: 'COMPLETED' });
  await expectPaidOnce(purchase);
});

test('a refusal that our account caused is retried with another request id once its cause is gone', async () => {
  shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
  const purchase = await placePaypalOrder(shop);
  await approve(shop, purchase);
  shop.sandbox.behaviors.add({
    name: 'paypal-capture-issue',
    value: 'TRANSACTION_RECEIVING_LIMIT_EXCEEDED',
    count: 2,
  });
  expect((await capture(shop, purchase)).status).toBe(502);
  expect(await (await capture(shop, purchase)).json()).toEqual({ status: 'COMPLETED' });
  await expectPaidOnce(purchase);
});

describe('after a decline that the buyer has seen', () => {
  test('a check does not capture the former approval, and the order expires', async () => {
    const purchase = await refused();
    await checkNow(shop, purchase.orderId);
    await untilChecked(purchase.orderId);
    expect((await readOrder(shop, purchase.orderId)).status).toBe('failed');
    await age(shop, purchase.orderId, '25 hours');
    await checkNow(shop, purchase.orderId);
    await untilStatus(shop, purchase.orderId, 'canceled');
    expect(capturesOf(shop, purchase)).toEqual([]);
  });

  test('staff can cancel the order, and nothing is captured', async () => {
    const purchase = await refused();
    const { orderId } = purchase;
    await shop.workerParts.outbox.transaction(null, (trx) =>
      enqueue(trx, { name: 'cancel-order', payload: { orderId } }),
    );
    await untilStatus(shop, orderId, 'canceled');
    expect(capturesOf(shop, purchase)).toEqual([]);
  });

  test('no webhook captures the payment; the buyer’s browser does after the next approval', async () => {
    const purchase = await refused();
    shop.sandbox.faults.clear();
    const late = paypalEvent('CHECKOUT.ORDER.APPROVED', { id: purchase.paypalOrderId });
    await deliverPaypal(shop, late);
    await untilHandled(shop, late.id);
    expect((await readOrder(shop, purchase.orderId)).status).toBe('failed');
    expect(capturesOf(shop, purchase)).toEqual([]);

    await approve(shop, purchase);
    expect(await (await capture(shop, purchase)).json()).toEqual({ status: 'COMPLETED' });
    await expectPaidOnce(purchase);
  });

  test('of a card, a check captures the payment at PayPal', async () => {
    shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
    const key = randomUUID();
    const byCard = await placeOrder(shop, {}, key);
    await pay(shop, byCard, 'pm_card_chargeDeclined');
    await checkNow(shop, byCard.orderId);
    await untilStatus(shop, byCard.orderId, 'failed');
    const purchase = await placePaypalOrder(shop, key);
    await approve(shop, purchase);
    await checkNow(shop, purchase.orderId);
    await expectPaidOnce(purchase);
  });

  async function refused(): Promise<PaypalPurchase> {
    const { purchase, answer } = await captureWith('TRANSACTION_REFUSED');
    expect(answer).toMatchObject({ status: 'DECLINED' });
    await untilStatus(shop, purchase.orderId, 'failed');
    return purchase;
  }

  async function untilChecked(orderId: string): Promise<void> {
    await waitFor('the check', async () => (await jobsOf(shop, orderId, 'reconcile-order')).length > 0);
    await untilApplied(shop);
  }
});

test('staff can cancel an order whose eCheck was denied, and it can no longer be paid', async () => {
  const key = randomUUID();
  const purchase = await placePaypalOrder(shop, key);
  const { orderId } = purchase;
  shop.sandbox.behaviors.add({ name: 'paypal-echeck', count: 1 });
  await approve(shop, purchase);
  await capture(shop, purchase);
  await untilStatus(shop, orderId, 'processing');
  await paypalControl(shop, `/captures/${captureOf(shop, purchase)}/deny`);
  await untilStatus(shop, orderId, 'failed');
  await shop.workerParts.outbox.transaction(null, (trx) =>
    enqueue(trx, { name: 'cancel-order', payload: { orderId } }),
  );
  await untilStatus(shop, orderId, 'canceled');
  await expect(placePaypalOrder(shop, key)).rejects.toThrow('order_expired');
});

test('an approved payment is not captured once staff cancel the order', async () => {
  shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
  const purchase = await placePaypalOrder(shop);
  const { orderId, paypalOrderId } = purchase;
  await approve(shop, purchase);
  await shop.workerParts.outbox.transaction(null, (trx) =>
    enqueue(trx, { name: 'cancel-order', payload: { orderId } }),
  );
  await untilStatus(shop, orderId, 'canceled');
  const approval = paypalEvent('CHECKOUT.ORDER.APPROVED', { id: paypalOrderId });
  await deliverPaypal(shop, approval);
  await untilHandled(shop, approval.id);
  expect(capturesOf(shop, purchase)).toEqual([]);
  expect((await readOrder(shop, orderId)).status).toBe('canceled');
});

test('a payment that PayPal has forgotten leaves its order open for a day, to be paid by another one', async () => {
  const purchase = await placePaypalOrder(shop);
  const { orderId } = purchase;
  shop.sandbox.paypal.context.state.orders.delete(purchase.paypalOrderId);
  await checkNow(shop, orderId);
  await waitFor('the check', async () => (await jobsOf(shop, orderId, 'reconcile-order')).length > 0);
  await untilApplied(shop);
  expect((await readOrder(shop, orderId)).status).toBe('pending');

  const next = { orderId, paypalOrderId: await openPayment(shop, orderId) };
  await approve(shop, next);
  await capture(shop, next);
  await expectPaidOnce(next);
});

test('a payment that PayPal has forgotten expires with its order', async () => {
  const { orderId, paypalOrderId } = await placePaypalOrder(shop);
  shop.sandbox.paypal.context.state.orders.delete(paypalOrderId);
  await age(shop, orderId, '25 hours');
  await checkNow(shop, orderId);
  await untilStatus(shop, orderId, 'canceled');
});

test('a buyer cannot pay again while a capture whose answer was lost is under review', async () => {
  shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
  const purchase = await placePaypalOrder(shop);
  const { orderId, paypalOrderId } = purchase;
  await approve(shop, purchase, 'pending');
  const order = await findOrder(shop.db, orderId);
  if (!order) throw new Error('order is missing');
  await shop.workerParts.gateways.paypal.capturePayment?.(paypalOrderId, order, Date.now());

  const answer = await post(shop, '/api/paypal/order', {
    ...{ orderId, amount: '2999.00', currency: 'USD', intent: 'CAPTURE' },
  });
  expect([answer.status, (await answer.json()).code]).toEqual([409, 'payment_in_progress']);
  await untilStatus(shop, orderId, 'processing');
  await paypalControl(shop, `/captures/${captureOf(shop, purchase)}/complete`);
  await checkNow(shop, orderId);
  await expectPaidOnce(purchase);
});

test('a payment approved while it is being canceled is not reported as canceled', async () => {
  const purchase = await placePaypalOrder(shop);
  await approve(shop, purchase);
  const { paypal } = shop.workerParts.gateways;
  const report = await paypal.cancelPayment(purchase.paypalOrderId, Date.now());
  expect(report).toMatchObject({ stage: 'approved', facts: [] });
});

test('a pending payment that PayPal reports as declined has failed', async () => {
  shop.sandbox.behaviors.add({ name: 'paypal-declined-event', count: 1 });
  const purchase = await placePaypalOrder(shop);
  await approve(shop, purchase, 'pending');
  await capture(shop, purchase);
  await paypalControl(shop, `/captures/${captureOf(shop, purchase)}/deny`);
  await untilStatus(shop, purchase.orderId, 'failed');
  await checkNow(shop, purchase.orderId);
  await untilApplied(shop);
  expect((await readOrder(shop, purchase.orderId)).status).toBe('failed');
});

/** Captures once while PayPal refuses it with this issue; its webhooks are lost. */
async function captureWith(value: (typeof issues)[number]) {
  shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
  const purchase = await placePaypalOrder(shop);
  await approve(shop, purchase);
  const match = purchase.paypalOrderId;
  shop.sandbox.behaviors.add({ name: 'paypal-capture-issue', value, match, count: 1 });
  return { purchase, answer: await (await capture(shop, purchase)).json() };
}

/** Paid, with one capture, one confirmation and nothing refunded. */
async function expectPaidOnce(purchase: PaypalPurchase): Promise<void> {
  await untilStatus(shop, purchase.orderId, 'paid');
  await untilApplied(shop);
  expectOneCapture(shop, purchase);
  expect(await readOrder(shop, purchase.orderId)).toMatchObject({ status: 'paid', amountRefunded: 0 });
  expect(await emailsOf(shop, purchase.orderId, 'order_confirmation')).toHaveLength(1);
}
