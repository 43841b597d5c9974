import { describe, expect, test } from 'vitest';
import { searchOrders } from '../db/order-search.ts';
import {
  auditOrder,
  mailsAbout,
  type PlacedOrder,
  pay,
  placeOrder,
  post,
  readOrder,
  untilStatus,
} from '../testing/buyer.ts';
import { holdCall } from '../testing/held-call.ts';
import { age, checkNow, emailsOf, jobsOf, untilApplied } from '../testing/inbox.ts';
import { listOrderHistory } from '../testing/order-history.ts';
import { approve, capture, captureOf, paypalControl, placePaypalOrder } from '../testing/paypal.ts';
import { withShop } from '../testing/shop.ts';
import { stripeControl } from '../testing/stripe.ts';
import { waitFor } from '../testing/wait-for.ts';
import { readToday } from './today.ts';

const shop = await withShop({ worker: true });

test('the failure of a bank debit is announced, although a card was declined and announced before', async () => {
  const order = await placeOrder(shop);
  await pay(shop, order, 'pm_card_chargeDeclined');
  await untilStatus(shop, order.orderId, 'failed');
  for (const [count, expected] of [
    ['sent', 'queued'],
    ['sent', 'sent', 'queued'],
  ].entries()) {
    await sendWaitingMails();
    await waitFor('the mail', async () => (await failureMails(order))[count] === 'sent');
    await payByFailingDebit(order);
    expect(await failureMails(order)).toEqual(expected);
  }
  expect(await emailsOf(shop, order.orderId, 'payment_processing')).toHaveLength(2);
});

test('only the last of two waiting mails about a payment’s state is sent', async () => {
  const order = await placeOrder(shop);
  await pay(shop, order, 'pm_card_chargeDeclined');
  await untilStatus(shop, order.orderId, 'failed');
  await payByFailingDebit(order);
  await sendWaitingMails();
  await expect.poll(() => failureMails(order), { timeout: 10_000 }).toEqual(['dropped', 'sent']);
});

describe('a payment still processing after a day is not canceled', () => {
  test.each([
    ['succeeded', 'paid'],
    ['failed', 'failed'],
  ] as const)('a bank debit in processing, which %s in the end', async (outcome, status) => {
    shop.sandbox.behaviors.add({ name: 'stripe-cancel-processing' });
    const order = await placeOrder(shop);
    expect((await pay(shop, order, 'pm_usBankAccount')).status).toBe('processing');
    await untilStatus(shop, order.orderId, 'processing');
    await expire(order.orderId);
    expect((await intentOf(order)).status).toBe('processing');
    expect((await readOrder(shop, order.orderId)).status).toBe('processing');

    await stripeControl(shop, `/payment_intents/${order.paymentIntentId}/settle`, { outcome });

    await untilStatus(shop, order.orderId, status);
  });

  test('a bank account that is verified by micro-deposits', async () => {
    shop.sandbox.behaviors.add({ name: 'stripe-microdeposits' });
    const order = await placeOrder(shop);
    expect((await pay(shop, order, 'pm_usBankAccount')).status).toBe('requires_action');
    await untilStatus(shop, order.orderId, 'processing');
    expect(await emailsOf(shop, order.orderId, 'payment_processing')).toHaveLength(1);
    await expire(order.orderId);
    expect((await intentOf(order)).status).toBe('requires_action');

    const { paymentIntentId: id } = order;
    await stripeControl(shop, `/payment_intents/${id}/verify_microdeposits`, { outcome: 'verified' });
    await stripeControl(shop, `/payment_intents/${id}/settle`, { outcome: 'succeeded' });
    await untilStatus(shop, order.orderId, 'paid');
  });

  test.each([
    ['complete', 'paid'],
    ['deny', 'failed'],
  ] as const)('an eCheck at PayPal: %s', async (end, status) => {
    shop.sandbox.behaviors.add({ name: 'paypal-echeck', count: 1 });
    const purchase = await placePaypalOrder(shop);
    await approve(shop, purchase);
    expect(await (await capture(shop, purchase)).json()).toEqual({ status: 'PENDING' });
    await untilStatus(shop, purchase.orderId, 'processing');
    await expire(purchase.orderId);
    expect((await readOrder(shop, purchase.orderId)).status).toBe('processing');
    await paypalControl(shop, `/captures/${captureOf(shop, purchase)}/${end}`);
    await untilStatus(shop, purchase.orderId, status);
  });
});

test('a payment that PayPal holds until we accept it is reported to staff once, and paid then', async () => {
  const value = 'RECEIVING_PREFERENCE_MANDATES_MANUAL_ACTION';
  shop.sandbox.behaviors.add({ name: 'paypal-held-capture', value, count: 1 });
  const purchase = await placePaypalOrder(shop);
  await approve(shop, purchase);
  expect(await (await capture(shop, purchase)).json()).toEqual({ status: 'PENDING' });
  await untilStatus(shop, purchase.orderId, 'processing');
  await checkNow(shop, purchase.orderId);
  await waitFor(
    'the check',
    async () => (await jobsOf(shop, purchase.orderId, 'reconcile-order')).length > 0,
  );
  await untilApplied(shop);
  expect(await emailsOf(shop, purchase.orderId, 'payment_held_alert')).toEqual([
    { provider: 'paypal', paymentId: purchase.paypalOrderId, reason: value },
  ]);
  const mail = await waitFor('the mail', async () =>
    (await mailsAbout(shop, purchase.orderId)).find(({ to }) => to.includes(shop.config.mail.staff)),
  );
  expect(mail.subject).toMatch(/^Payment on hold: Database Audit, \$2,999\.00/);
  const waiting = async () =>
    (await readToday(shop.api)).concerns.find(({ concern }) => concern.topic === 'payments_held');
  const found = await searchOrders(shop.db, { status: 'held' }, {}, undefined, 5);
  expect(found.map(({ id }) => id)).toEqual([purchase.orderId]);
  expect(await waiting()).toMatchObject({ concern: { count: 1 }, items: [{ orderId: purchase.orderId }] });

  await paypalControl(shop, `/captures/${captureOf(shop, purchase)}/complete`);

  await untilStatus(shop, purchase.orderId, 'paid');
  expect(await waiting()).toBeUndefined();
});

test('staff get no such report of an eCheck, which waits for the buyer’s bank', async () => {
  shop.sandbox.behaviors.add({ name: 'paypal-echeck', count: 1 });
  const purchase = await placePaypalOrder(shop);
  await approve(shop, purchase);
  await capture(shop, purchase);
  await untilStatus(shop, purchase.orderId, 'processing');
  await untilApplied(shop);
  expect(await emailsOf(shop, purchase.orderId, 'payment_held_alert')).toEqual([]);
});

test('a bank debit is called that, on the order’s page and in the receipt', async () => {
  const { orderId } = await buyByDebit();
  expect(await readOrder(shop, orderId)).toMatchObject({ methodType: 'us_bank_account' });
  const receipt = await waitFor('the receipt', async () =>
    (await mailsAbout(shop, orderId)).find(({ text }) => text.includes('Payment method')),
  );
  expect(receipt.text).toMatch(/Payment method: +Bank debit/);
});

test('a bank debit is called that while it awaits micro-deposits, after they failed, and while it is processing', async () => {
  shop.sandbox.behaviors.add({ name: 'stripe-microdeposits' });
  const order = await placeOrder(shop);
  const { orderId, paymentIntentId: id } = order;
  await pay(shop, order, 'pm_card_chargeDeclined');
  expect(await untilStatus(shop, orderId, 'failed')).toMatchObject({ methodType: null });
  await pay(shop, order, 'pm_usBankAccount');
  const asDebit = { methodType: 'us_bank_account' };
  expect(await untilStatus(shop, orderId, 'processing')).toMatchObject(asDebit);

  await stripeControl(shop, `/payment_intents/${id}/verify_microdeposits`, { outcome: 'failed' });
  expect(await untilStatus(shop, orderId, 'failed')).toMatchObject(asDebit);

  await pay(shop, order, 'pm_usBankAccount');
  await untilStatus(shop, orderId, 'processing');
  await stripeControl(shop, `/payment_intents/${id}/verify_microdeposits`, { outcome: 'verified' });
  await untilApplied(shop);
  expect(await readOrder(shop, orderId)).toMatchObject({ status: 'processing', ...asDebit });
});

describe('a bank debit that the bank returns after it had succeeded', () => {
  test.each(['insufficient_funds', 'debit_not_authorized'])(
    '%s: no one reads of a decision',
    async (reason) => {
      const { orderId, charge } = await buyByDebit();
      await stripeControl(shop, `/charges/${charge}/return`, { reason });

      const order = await untilStatus(shop, orderId, 'refunded');

      expect(order).toMatchObject({ amountRefunded: 299_900, debitReturned: true });
      await untilApplied(shop);
      const [notice, ...others] = await emailsOf(shop, orderId, 'dispute_notice');
      expect(notice).toMatchObject({ state: 'lost', isReturnedDebit: true, reason });
      expect(others).toEqual([]);
      expect(await emailsOf(shop, orderId, 'dispute_reminder')).toEqual([]);
      const toBuyer = await waitFor('the buyer’s mail', async () =>
        (await mailsAbout(shop, orderId)).find(({ subject }) => subject.startsWith('Your bank returned')),
      );
      expect(toBuyer.text).not.toMatch(/in your favor|dispute/);
    },
  );

  test.each(['bank_cannot_process', 'customer_initiated'])(
    '%s: staff are asked for no evidence while Stripe has not closed it',
    async (reason) => {
      const { orderId, charge } = await buyByDebit();
      await stripeControl(shop, `/charges/${charge}/dispute`, { reason });
      expect(await untilStatus(shop, orderId, 'disputed')).toMatchObject({ debitReturned: true });
      expect(await emailsOf(shop, orderId, 'dispute_notice')).toMatchObject([
        { state: 'opened', isReturnedDebit: true, evidenceDueAt: null },
      ]);
    },
  );

  test('staff are asked for no evidence for another dispute of a debit', async () => {
    const { orderId, charge } = await buyByDebit();
    await stripeControl(shop, `/charges/${charge}/dispute`, { reason: 'fraudulent' });
    await untilStatus(shop, orderId, 'disputed');
    expect(await emailsOf(shop, orderId, 'dispute_notice')).toMatchObject([
      { state: 'opened', isUncontestable: true, evidenceDueAt: null },
    ]);
  });

  test('after it was refunded: staff are alerted once that more went back than was paid', async () => {
    const { orderId, charge, paymentIntentId: paymentId } = await buyByDebit();
    await shop.sandbox.stripeClient.refunds.create({ charge });
    await untilStatus(shop, orderId, 'refunded');
    await stripeControl(shop, `/charges/${charge}/return`, { reason: 'debit_not_authorized' });
    const alerts = () => emailsOf(shop, orderId, 'double_credit_alert');
    await waitFor('the alert', async () => (await alerts()).length > 0);
    await untilApplied(shop);
    expect(await alerts()).toEqual([{ paymentId, provider: 'stripe', taken: 299_900, returned: 599_800 }]);
    expect((await readOrder(shop, orderId)).amountRefunded).toBe(299_900);
  });
});

describe('a capture that PayPal reviews is made while the order expires', () => {
  test.each([
    ['before', 'deny', 'canceled', 1],
    ['after', 'complete', 'paid', 0],
  ] as const)('it becomes known %s the expiry: %s', async (when, end, status, cancellations) => {
    const { faults } = shop.sandbox;
    faults.add({ target: 'webhooks', mode: 'drop' });
    const purchase = await placePaypalOrder(shop);
    await age(shop, purchase.orderId, '25 hours');
    const { orderId, paypalOrderId } = purchase;
    // The check looks at the payment, then looks again to cancel it: PayPal answers both before the approval.
    const match = `GET /v2/checkout/orders/${paypalOrderId}`;
    faults.add({ target: 'paypal', mode: 'slow', ms: 1, count: 1, match });
    const secondLook = holdCall(shop, 'paypal', { when: 'after', match });
    await checkNow(shop, orderId);
    await secondLook.received();
    await approve(shop, purchase, 'pending');
    if (when === 'before') {
      expect(await (await capture(shop, purchase)).json()).toEqual({ status: 'PENDING' });
      secondLook.release();
      await untilExpired(orderId);
    } else {
      const taking = holdCall(shop, 'paypal', { when: 'after', match: `${paypalOrderId}/capture` });
      const captured = capture(shop, purchase);
      await taking.received();
      secondLook.release();
      await untilExpired(orderId);
      taking.release();
      expect(await (await captured).json()).toEqual({ status: 'PENDING' });
    }

    await untilStatus(shop, orderId, 'processing');
    const moves = (await listOrderHistory(shop.db, orderId)).map(({ to }) => to);
    expect(moves).toEqual(['pending', ...(when === 'after' ? ['canceled'] : []), 'processing']);
    const order = await shop.db('orders').where({ id: orderId }).first('next_check_at');
    expect(order.next_check_at).not.toBeNull();
    faults.clear();
    await paypalControl(shop, `/captures/${captureOf(shop, purchase)}/${end}`);
    await untilStatus(shop, orderId, status);
    expect(await emailsOf(shop, orderId, 'order_canceled')).toHaveLength(cancellations);
  });

  test('of an order that PayPal has forgotten meanwhile', async () => {
    const purchase = await placePaypalOrder(shop);
    await approve(shop, purchase, 'pending');
    await capture(shop, purchase);
    await untilStatus(shop, purchase.orderId, 'processing');
    const captureId = captureOf(shop, purchase);
    shop.sandbox.paypal.context.state.orders.delete(purchase.paypalOrderId);
    await expire(purchase.orderId);
    expect((await readOrder(shop, purchase.orderId)).status).toBe('processing');
    await paypalControl(shop, `/captures/${captureId}/deny`);
    await untilStatus(shop, purchase.orderId, 'canceled');
  });
});

describe('an unpaid payment is canceled after a day', () => {
  test.each([
    ['nobody paid', undefined],
    ['the card was declined', 'pm_card_chargeDeclined'],
    ['the bank’s 3-D Secure page was left', 'pm_card_authenticationRequired'],
  ])('that %s', async (_why, card) => {
    const order = await placeOrder(shop);
    if (card) await pay(shop, order, card);
    await untilApplied(shop);
    await age(shop, order.orderId, '25 hours');
    await checkNow(shop, order.orderId);
    await untilStatus(shop, order.orderId, 'canceled');
    expect((await intentOf(order)).status).toBe('canceled');
  });

  test('that PayPal denied', async () => {
    const purchase = await placePaypalOrder(shop);
    await approve(shop, purchase, 'pending');
    await capture(shop, purchase);
    await paypalControl(shop, `/captures/${captureOf(shop, purchase)}/deny`);
    await untilStatus(shop, purchase.orderId, 'failed');
    await age(shop, purchase.orderId, '25 hours');
    await checkNow(shop, purchase.orderId);
    await untilStatus(shop, purchase.orderId, 'canceled');
  });
});

test('an uncaptured approval at PayPal is captured, even after a day', async () => {
  shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
  const purchase = await placePaypalOrder(shop);
  await approve(shop, purchase);
  await age(shop, purchase.orderId, '25 hours');
  await checkNow(shop, purchase.orderId);
  await untilStatus(shop, purchase.orderId, 'paid');
});

test('while a bank debit is processing, the order cannot be paid another way', async () => {
  const key = crypto.randomUUID();
  const order = await placeOrder(shop, {}, key);
  await pay(shop, order, 'pm_usBankAccount');
  const answer = await post(shop, '/api/create-paypal-order', auditOrder, { 'idempotency-key': key });
  expect(answer.status).toBe(409);
  expect(await answer.json()).toMatchObject({ code: 'payment_in_progress' });
});

async function buyByDebit(): Promise<PlacedOrder & { charge: string }> {
  const order = await placeOrder(shop);
  const { latest_charge: charge = '' } = await pay(shop, order, 'pm_usBankAccount');
  await untilStatus(shop, order.orderId, 'processing');
  await stripeControl(shop, `/payment_intents/${order.paymentIntentId}/settle`, { outcome: 'succeeded' });
  await untilStatus(shop, order.orderId, 'paid');
  return { ...order, charge };
}

/** The order's last check, a day after it was placed, has run. */
async function expire(orderId: string): Promise<void> {
  await untilApplied(shop);
  await age(shop, orderId, '25 hours');
  await checkNow(shop, orderId);
  await untilExpired(orderId);
}

async function untilExpired(orderId: string): Promise<void> {
  await waitFor('the check is done', async () => {
    return (await jobsOf(shop, orderId, 'reconcile-order')).some(({ status }) => status === 'done');
  });
  await untilApplied(shop);
}

function intentOf({ paymentIntentId }: PlacedOrder) {
  return shop.sandbox.stripeClient.paymentIntents.retrieve(paymentIntentId);
}

async function payByFailingDebit(order: PlacedOrder): Promise<void> {
  expect((await pay(shop, order, 'pm_usBankAccount')).status).toBe('processing');
  await untilStatus(shop, order.orderId, 'processing');
  await stripeControl(shop, `/payment_intents/${order.paymentIntentId}/settle`, { outcome: 'failed' });
  await untilStatus(shop, order.orderId, 'failed');
}

/** The state of each mail about a failed payment, oldest first. */
function failureMails({ orderId }: PlacedOrder): Promise<string[]> {
  return shop.db('emails').where({ order_id: orderId, kind: 'payment_failed' }).orderBy('id').pluck('status');
}

async function sendWaitingMails(): Promise<void> {
  await shop.db('outbox').where({ job: 'send-email', status: 'open' }).update({ due_at: shop.db.fn.now() });
}
