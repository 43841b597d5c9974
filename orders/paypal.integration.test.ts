import { randomUUID } from 'node:crypto';
import { PayPalJudge } from '@querywright/sandbox/testing/paypal-judge';
import { describe, expect, test } from 'vitest';
import { findOrder } from '../db/orders.ts';
import { mailsAbout, pay, placeOrder, post, readOrder, untilStatus } from '../testing/buyer.ts';
import { checkNow } from '../testing/inbox.ts';
import { listOrderHistory } from '../testing/order-history.ts';
import {
  approve,
  buyWithPaypal,
  capture,
  captureOf,
  deliverPaypal,
  expectOneCapture,
  paypalControl,
  paypalEvent,
  placePaypalOrder,
} from '../testing/paypal.ts';
import { withShop } from '../testing/shop.ts';
import { waitFor } from '../testing/wait-for.ts';
import { receiveReport } from './receive-report.ts';

const shop = await withShop({ worker: true });

test('approved, captured and confirmed: paid, with one mail each to buyer and staff', async () => {
  const purchase = await placePaypalOrder(shop);
  await approve(shop, purchase);
  expect(await (await capture(shop, purchase)).json()).toEqual({ status: 'COMPLETED' });
  const { orderId, paypalOrderId } = purchase;
  const confirmed = await post(shop, '/api/confirm-paypal-payment', { orderId, paypalOrderId });
  expect(await confirmed.json()).toEqual({ status: 'paid' });

  const mails = await waitFor('both mails', async () => {
    const found = await mailsAbout(shop, orderId);
    return found.length >= 2 ? found : undefined;
  });
  expect(mails.map(({ to }) => to.join()).sort()).toEqual(['ada@example.com', 'staff@querywright.example']);
  expect(mails.every(({ text }) => text.includes('PayPal'))).toBe(true);
  await eventsHandled();
  expect(await movesOf(orderId)).toEqual(['pending', 'paid']);
  expect(await mailsAbout(shop, orderId)).toHaveLength(2);
});

test('an approval that is gone at capture is not captured repeatedly', async () => {
  const { orderId, paypalOrderId } = await placePaypalOrder(shop);
  const order = await findOrder(shop.db, orderId);
  if (!order) throw new Error('order is missing');
  const report = { paymentId: paypalOrderId, metadata: { orderId }, facts: [], stage: 'approved' as const };
  await receiveReport(shop.workerParts, order, report, { source: 'reconciliation', requestId: 'test' });

  await eventsHandled();
  expect(await readOrder(shop, orderId)).toMatchObject({ status: 'pending' });
});

test('PayPal is asked for exactly our amount, currency and order', async () => {
  const { orderId, paypalOrderId } = await placePaypalOrder(shop);
  const [unit] = shop.sandbox.paypal.context.state.orders.get(paypalOrderId)?.purchase_units ?? [];
  expect(unit).toMatchObject({
    amount: { currency_code: 'USD', value: '2999.00' },
    custom_id: orderId,
    invoice_id: `querywright-test-${orderId}`,
  });
});

describe('the buyer’s browser vanishes', () => {
  test('after the approval: the webhook captures, once, also when both ask', async () => {
    const purchase = await placePaypalOrder(shop);
    await approve(shop, purchase);
    await capture(shop, purchase);
    await capture(shop, purchase);
    await untilStatus(shop, purchase.orderId, 'paid');

    const abandoned = await placePaypalOrder(shop);
    await approve(shop, abandoned);
    await untilStatus(shop, abandoned.orderId, 'paid');
    expectOneCapture(shop, purchase);
    expectOneCapture(shop, abandoned);
  });

  test('after the approval, with the webhooks off: reconciliation captures', async () => {
    shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
    const purchase = await placePaypalOrder(shop);
    await approve(shop, purchase);
    await checkNow(shop, purchase.orderId);
    await untilStatus(shop, purchase.orderId, 'paid', 25_000);
    expectOneCapture(shop, purchase);
  }, 60_000);

  test('while capturing: the capture is found, and a second one asked for counts as the first', async () => {
    shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
    const purchase = await placePaypalOrder(shop);
    await approve(shop, purchase);
    // PayPal takes the money, but neither the answer nor a repetition of it gets through.
    shop.sandbox.faults.add({ target: 'paypal', mode: 'drop', match: '/capture', when: 'after', count: 2 });
    expect(await (await capture(shop, purchase)).json()).toEqual({ status: 'COMPLETED' });
    expect(await (await capture(shop, purchase)).json()).toEqual({ status: 'COMPLETED' });
    await untilStatus(shop, purchase.orderId, 'paid');
    expectOneCapture(shop, purchase);
  });
});

describe('PayPal’s later decisions', () => {
  test('a payment under review is processing, then paid', async () => {
    const purchase = await placePaypalOrder(shop);
    await approve(shop, purchase, 'pending');
    expect(await (await capture(shop, purchase)).json()).toEqual({ status: 'PENDING' });
    await untilStatus(shop, purchase.orderId, 'processing');
    await paypalControl(shop, `/captures/${captureOf(shop, purchase)}/complete`);
    await untilStatus(shop, purchase.orderId, 'paid');
  });

  test('a payment under review may be denied', async () => {
    const purchase = await placePaypalOrder(shop);
    await approve(shop, purchase, 'pending');
    await capture(shop, purchase);
    await paypalControl(shop, `/captures/${captureOf(shop, purchase)}/deny`);
    const order = await untilStatus(shop, purchase.orderId, 'failed');
    expect(order.failureReason).toMatch(/declined/);
  });

  test('a declined payment can be approved again with another card', async () => {
    // Otherwise the worker might receive the decline.
    shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop', count: 1 });
    const purchase = await placePaypalOrder(shop);
    await approve(shop, purchase, 'declined');
    expect(await (await capture(shop, purchase)).json()).toEqual({
      status: 'DECLINED',
      reason: expect.stringContaining('choose another one'),
      canRetry: true,
    });
    await untilStatus(shop, purchase.orderId, 'failed');
    await approve(shop, purchase);
    expect(await (await capture(shop, purchase)).json()).toEqual({ status: 'COMPLETED' });
    await untilStatus(shop, purchase.orderId, 'paid');
  });

  test('refunds made in PayPal’s dashboard: a part, another, then the rest', async () => {
    const { orderId, captureId } = await buyWithPaypal(shop);
    await untilStatus(shop, orderId, 'paid');
    const part = (value: string) => ({ amount: { currency_code: 'USD', value } });
    await paypalControl(shop, `/captures/${captureId}/refund`, part('500.00'));
    expect((await untilStatus(shop, orderId, 'partially_refunded')).amountRefunded).toBe(50_000);
    await paypalControl(shop, `/captures/${captureId}/refund`, part('0.01'));
    await waitFor('the second part', async () => (await readOrder(shop, orderId)).amountRefunded === 50_001);
    await paypalControl(shop, `/captures/${captureId}/refund`);
    expect((await untilStatus(shop, orderId, 'refunded')).amountRefunded).toBe(299_900);
  });

  test('a reversal takes the money back', async () => {
    const { orderId, captureId } = await buyWithPaypal(shop);
    await paypalControl(shop, `/captures/${captureId}/reverse`);
    expect((await untilStatus(shop, orderId, 'refunded')).amountRefunded).toBe(299_900);
  });

  test('a won dispute is paid again; a lost one counts as refunded once', async () => {
    const won = await buyWithPaypal(shop);
    await disputed(won, 'won');
    await untilStatus(shop, won.orderId, 'paid');
    expect(await movesOf(won.orderId)).toEqual(['pending', 'paid', 'disputed', 'paid']);

    const lost = await buyWithPaypal(shop);
    await paypalControl(shop, `/captures/${lost.captureId}/refund`, {
      amount: { currency_code: 'USD', value: '1000.00' },
    });
    await untilStatus(shop, lost.orderId, 'partially_refunded');
    await disputed(lost, 'lost');
    expect((await untilStatus(shop, lost.orderId, 'refunded')).amountRefunded).toBe(299_900);
  });
});

describe('money that does not fit the order', () => {
  test.each([
    ['another amount', { amount: { currency_code: 'USD', value: '29.99' } }],
    ['another currency', { amount: { currency_code: 'EUR', value: '2999.00' } }],
    ['another order', { custom_id: 'd7a0a3bb-6c1f-4d6b-9f43-0a0000000000' }],
    ['no order', { custom_id: undefined }],
  ])('a capture for %s puts the order in review, with a mail to staff', async (_what, odd) => {
    const { orderId, paypalOrderId } = await placePaypalOrder(shop);
    await deliverPaypal(shop, completed(orderId, paypalOrderId, odd));
    await untilStatus(shop, orderId, 'review');
    await waitFor('the alert', async () => {
      return (await mailsAbout(shop, orderId)).some(({ to }) => to.includes('staff@querywright.example'));
    });
  });

  test('the alert states an amount in yen as it was paid', async () => {
    const { orderId, paypalOrderId } = await placePaypalOrder(shop);
    const amount = { currency_code: 'JPY', value: '2999' };
    await deliverPaypal(shop, completed(orderId, paypalOrderId, { amount }));
    await untilStatus(shop, orderId, 'review');
    const mail = await waitFor('the alert', async () => (await mailsAbout(shop, orderId))[0]);
    expect(mail.text).toContain('2,999.00 JPY');
  });

  test.each([
    ['of the exact price pays', '2999.00', 'paid'],
    ['of another amount puts in review', '0.01', 'review'],
  ])(
    'a PayPal order that the row does not have, %s the order that it names',
    async (_what, value, status) => {
      const { orderId } = await placePaypalOrder(shop);
      const amount = { currency_code: 'USD', value };
      const lost = completed(orderId, `0LOST${status.toUpperCase()}`, { amount });
      expect((await deliverPaypal(shop, lost)).status).toBe(200);
      await untilStatus(shop, orderId, status as 'paid');
    },
  );

  test('the payment of one order settles no other one', async () => {
    const [mine, other] = [await placePaypalOrder(shop), await placePaypalOrder(shop)];
    await deliverPaypal(shop, completed(other.orderId, mine.paypalOrderId));
    await untilStatus(shop, mine.orderId, 'review');
    await eventsHandled();
    expect((await readOrder(shop, other.orderId)).status).toBe('pending');
  });

  test('a payment of another application on the same account is stored and ignored', async () => {
    const event = completed('c7a0a3bb-6c1f-4d6b-9f43-0a0000000001', '0OTHERSHOP0000000', {
      invoice_id: 'shop-4711',
      custom_id: '4711',
    });
    expect((await deliverPaypal(shop, event)).status).toBe(200);
    await waitFor('it is ignored', () =>
      shop.db('payment_events').where({ event_id: event.id, status: 'ignored' }).first(),
    );
  });
});

test('an order unpaid for a day is canceled, and a later approval is not captured', async () => {
  const purchase = await placePaypalOrder(shop);
  await shop.db.raw(`update orders set created_at = now() - interval '25 hours' where id = ?`, [
    purchase.orderId,
  ]);
  await checkNow(shop, purchase.orderId);
  await untilStatus(shop, purchase.orderId, 'canceled', 25_000);
  await approve(shop, purchase);
  expect((await capture(shop, purchase)).status).toBe(409);
  await eventsHandled();
  const order = shop.sandbox.paypal.context.state.orders.get(purchase.paypalOrderId);
  expect(order?.status).toBe('APPROVED');
}, 60_000);

test('the card’s payment that is canceled for PayPal does not cancel the order', async () => {
  const key = randomUUID();
  await placeOrder(shop, {}, key);
  // Long enough for Stripe's cancellation event to be handled before our call has its answer.
  shop.sandbox.faults.add({ target: 'stripe', mode: 'slow', match: 'GET', ms: 1_500, count: 1 });
  const purchase = await placePaypalOrder(shop, key);
  await waitFor('Stripe has reported the cancellation', () =>
    shop.db('payment_events').where({ type: 'payment_intent.canceled', status: 'processed' }).first(),
  );
  await approve(shop, purchase);
  expect(await (await capture(shop, purchase)).json()).toEqual({ status: 'COMPLETED' });
});

test('paid twice, by card and by PayPal: the first counts, the second is refunded, and staff are notified', async () => {
  const key = randomUUID();
  const byCard = await placeOrder(shop, {}, key);
  // Stripe cannot be reached just when the buyer turns to PayPal, so the card can still be charged.
  shop.sandbox.faults.add({ target: 'stripe', mode: 'error' });
  const byPaypal = await placePaypalOrder(shop, key);
  shop.sandbox.faults.clear();
  await approve(shop, byPaypal);
  await capture(shop, byPaypal);
  const { latest_charge: charge = '' } = await pay(shop, byCard);

  await waitFor('the card’s payment is given back', async () => {
    return (await shop.sandbox.stripeClient.charges.retrieve(charge)).refunded;
  });
  await waitFor('the alert', async () => {
    return (await mailsAbout(shop, byCard.orderId)).some(({ text }) => text.includes(byCard.paymentIntentId));
  });
  await eventsHandled();
  expect(await readOrder(shop, byCard.orderId)).toMatchObject({
    status: 'paid',
    paymentMethod: 'paypal',
    amountRefunded: 0,
  });
});

test('PayPal’s past events can be fetched page by page', async () => {
  shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
  const since = new Date();
  const purchase = await buyWithPaypal(shop);
  const { events } = shop.sandbox.paypal.context;
  for (let n = 0; n < 320; n++) events.emit('BILLING.PLAN.CREATED', 'plan', 'A plan', { id: `P-${n}` });

  const { paypal } = shop.workerParts.gateways;
  const types = (await all(paypal.eventsSince(since))).map(({ type }) => type);
  expect(types.sort()).toEqual(['CHECKOUT.ORDER.APPROVED', 'PAYMENT.CAPTURE.COMPLETED']);
  expect(await all(paypal.paymentsSince(since))).toMatchObject([
    { paymentId: purchase.paypalOrderId, metadata: { orderId: purchase.orderId } },
  ]);
});

test('every call and answer above is valid against PayPal’s documents', () => {
  const judge = new PayPalJudge();
  const judged = shop.sandbox.paypal.exchanges.filter(
    ({ path }) => !path.startsWith('/v1/customer/disputes'),
  );
  expect(judged.length).toBeGreaterThan(30);
  expect(judged.flatMap((exchange) => judge.faults(exchange))).toEqual([]);
});

function completed(orderId: string, paypalOrderId: string, odd: object = {}) {
  return paypalEvent('PAYMENT.CAPTURE.COMPLETED', {
    id: `0CAPTURE${paypalOrderId.slice(-9)}`,
    status: 'COMPLETED',
    amount: { currency_code: 'USD', value: '2999.00' },
    custom_id: orderId,
    invoice_id: `querywright-test-${orderId}`,
    supplementary_data: { related_ids: { order_id: paypalOrderId } },
    ...odd,
  });
}

async function disputed({ orderId, captureId }: { orderId: string; captureId: string }, outcome: string) {
  const dispute = await paypalControl<{ dispute_id: string }>(shop, `/captures/${captureId}/dispute`);
  await untilStatus(shop, orderId, 'disputed');
  await paypalControl(shop, `/disputes/${dispute.dispute_id}/resolve`, { outcome });
}

test('an approval that a check could not capture is captured by the next one', async () => {
  const { faults, behaviors } = shop.sandbox;
  faults.add({ target: 'webhooks', mode: 'drop' });
  const purchase = await placePaypalOrder(shop);
  const { orderId, paypalOrderId: match } = purchase;
  behaviors.add({ name: 'paypal-capture-issue', value: 'ORDER_NOT_APPROVED', match, count: 2 });
  await approve(shop, purchase);
  await checkNow(shop, orderId);
  await waitFor('the first capture is refused', async () => behaviors.list().length === 0);
  await waitFor('its approval is handled', async () => {
    const events = await shop.db('payment_events').where({ order_id: orderId }).pluck('status');
    return events.length > 0 && !events.includes('received');
  });
  await checkNow(shop, orderId);
  await untilStatus(shop, orderId, 'paid');
});

async function movesOf(orderId: string): Promise<string[]> {
  return (await listOrderHistory(shop.db, orderId)).map(({ to }) => to);
}

async function eventsHandled(): Promise<void> {
  await waitFor('all deliveries are handled', async () => {
    const deliveries = await fetch(`${shop.sandbox.url}/paypal/sandbox/deliveries`);
    expect(deliveries.ok).toBe(true);
    return (await shop.db('payment_events').where({ status: 'received' })).length === 0;
  });
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
