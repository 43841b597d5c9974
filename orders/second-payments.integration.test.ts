import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { enqueue } from '../db/outbox.ts';
import { mailsAbout, type PlacedOrder, pay, placeOrder, readOrder, untilStatus } from '../testing/buyer.ts';
import { holdCall } from '../testing/held-call.ts';
import { age, checkNow, emailsOf, jobsOf, lastAttempt, setDue, untilApplied } from '../testing/inbox.ts';
import {
  approve,
  buyWithPaypal,
  capture,
  captureOf,
  paypalControl,
  placePaypalOrder,
} from '../testing/paypal.ts';
import { paidTwice, switchedWhileStripeIsDown } from '../testing/second-payments.ts';
import { type Shop, startShop } from '../testing/shop.ts';
import { stripeControl } from '../testing/stripe.ts';
import { waitFor } from '../testing/wait-for.ts';
import type { RunningWorker } from '../worker/worker.ts';

let shop: Shop;
let worker: RunningWorker;
beforeAll(async () => {
  shop = await startShop();
  worker = shop.startWorker();
});
afterEach(() => {
  shop.sandbox.faults.clear();
  shop.sandbox.behaviors.clear();
});
afterAll(() => shop.close());

describe('the refund of a second payment', () => {
  test('succeeds although Stripe keeps a 500 under its idempotency key', async () => {
    shop.sandbox.behaviors.add({ name: 'stripe-stored-error', match: '/refunds', count: 2 });
    const { order, charge } = await paidTwice(shop);
    await untilRefunded(charge);
    await waitFor('the job is done', async () => {
      return (await jobsOf(shop, order.orderId, 'refund-duplicate'))[0]?.status === 'done';
    });
    expect(await refundsOf(charge)).toHaveLength(1);
    await expectStillPaid(order);
  });

  test('is one refund although every answer is lost at first', async () => {
    const { order, charge } = await paidTwice(shop, { mode: 'drop', when: 'after', count: 3 });
    await untilRefunded(charge);
    await waitFor('the job is done', async () => {
      return (await jobsOf(shop, order.orderId, 'refund-duplicate'))[0]?.status === 'done';
    });
    shop.sandbox.faults.clear();
    expect(await refundsOf(charge)).toHaveLength(1);
    await expectStillPaid(order);
  });

  test('is reported to staff by mail once it fails permanently', async () => {
    const { order } = await paidTwice(shop, { mode: 'error', code: 400 });
    await lastAttempt(shop, order.orderId, 'refund-duplicate');
    const [alert] = await waitFor('the alert', async () => {
      const alerts = await emailsOf(shop, order.orderId, 'refund_failed_alert');
      return alerts.length > 0 && alerts;
    });
    expect(alert).toMatchObject({ paymentId: order.paymentIntentId, provider: 'stripe', amount: 299_900 });
    await expectMailToStaff(order.orderId, order.paymentIntentId);
  });

  test('is not made once the first holds no money, and staff are asked to decide', async () => {
    const { order, paypalOrderId, charge } = await paidTwice(shop, { mode: 'error', code: 503 });
    await worker.close();
    shop.sandbox.faults.clear();
    const first = captureOf(shop, { orderId: order.orderId, paypalOrderId });
    await paypalControl(shop, `/captures/${first}/refund`);

    worker = shop.startWorker();

    const [alert] = await waitFor('the alert', async () => {
      const alerts = await emailsOf(shop, order.orderId, 'refund_failed_alert');
      return alerts.length > 0 && alerts;
    });
    expect(alert).toMatchObject({ paymentId: order.paymentIntentId, why: 'not_duplicate' });
    const mail = await waitFor('the mail', async () =>
      (await mailsAbout(shop, order.orderId)).find(({ subject }) => subject.startsWith('Refund not made')),
    );
    expect(mail.text).toContain('no other payment holds money for the order for certain');
    expect(mail.text).not.toMatch(/kept refusing|Refund it there/);
    expect(await refundsOf(charge)).toEqual([]);
  });

  test.each(['open', 'lost'] as const)(
    'is not made by a retry while a dispute of the first is %s',
    async (outcome) => {
      shop.sandbox.behaviors.add({ name: 'paypal-unbooked-dispute' });
      const { order, paypalOrderId, charge } = await paidTwice(shop, { mode: 'error', code: 400 });
      await lastAttempt(shop, order.orderId, 'refund-duplicate');
      await untilDead(order);
      const first = captureOf(shop, { orderId: order.orderId, paypalOrderId });
      const { dispute_id: id } = await paypalControl<{ dispute_id: string }>(
        shop,
        `/captures/${first}/dispute`,
      );
      if (outcome === 'lost') await paypalControl(shop, `/disputes/${id}/resolve`, { outcome });
      await untilStatus(shop, order.orderId, outcome === 'lost' ? 'refunded' : 'disputed');
      shop.sandbox.faults.clear();

      await runAgain(order);

      await untilDead(order);
      const [, alert] = await emailsOf(shop, order.orderId, 'refund_failed_alert');
      expect(alert).toMatchObject({ paymentId: order.paymentIntentId, why: 'not_duplicate' });
      expect(await refundsOf(charge)).toEqual([]);
    },
  );

  test('returns the rest of what staff refunded in part', async () => {
    const { order, charge } = await paidTwice(shop, { mode: 'error', code: 503 });
    await worker.close();
    shop.sandbox.faults.clear();
    await shop.sandbox.stripeClient.refunds.create({ charge, amount: 1_000 });
    worker = shop.startWorker();
    await untilRefunded(charge);
    expect((await refundsOf(charge)).map(({ amount }) => amount).sort()).toEqual([1_000, 298_900]);
    await expectStillPaid(order);
  });

  test('that fails at the bank later is reported too', async () => {
    const { order, charge } = await paidTwice(shop);
    await untilRefunded(charge);
    const [refund] = await refundsOf(charge);
    await waitFor('it is known', async () => {
      const { payment_facts: facts } = await shop.db('orders').where({ id: order.orderId }).first();
      return facts.refunds?.[refund?.id ?? ''] !== undefined;
    });
    await fetch(`${shop.sandbox.url}/stripe/sandbox/refunds/${refund?.id}/fail`, { method: 'POST' });
    await waitFor('the alert', async () => {
      return (await emailsOf(shop, order.orderId, 'refund_failed_alert')).length === 1;
    });
    await expectStillPaid(order);
  });

  test('that fails at the bank while its event is lost is found by the next check', async () => {
    const { order, charge } = await paidTwice(shop);
    await untilRefunded(charge);
    await untilApplied(shop);
    const [refund] = await refundsOf(charge);
    shop.sandbox.behaviors.add({ name: 'stripe-missing-event' });
    await stripeControl(shop, `/refunds/${refund?.id}/fail`);
    await checkNow(shop, order.orderId);
    await waitFor('staff are notified', async () => {
      const alerts = await emailsOf(shop, order.orderId, 'refund_failed_alert');
      return alerts.some((alert) => alert.refundId === refund?.id);
    });
    await expectStillPaid(order);
  });

  test('never touches a payment that is the only one', async () => {
    const { orderId, paypalOrderId } = await buyWithPaypal(shop);
    await untilStatus(shop, orderId, 'paid');
    const payload = { orderId, paymentId: paypalOrderId };
    await shop.outbox.transaction(null, (trx) => enqueue(trx, { name: 'refund-duplicate', payload }));
    await waitFor('the job is done', async () => {
      return (await jobsOf(shop, orderId, 'refund-duplicate'))[0]?.status === 'done';
    });
    expect(await readOrder(shop, orderId)).toMatchObject({ status: 'paid', amountRefunded: 0 });
  });

  async function untilDead({ orderId }: PlacedOrder): Promise<void> {
    await waitFor('the job is dead', async () => {
      return (await jobsOf(shop, orderId, 'refund-duplicate'))[0]?.status === 'dead';
    });
  }

  async function runAgain({ orderId }: PlacedOrder): Promise<void> {
    const row = { job: 'refund-duplicate', status: 'dead' };
    const ofOrder = shop.db('outbox').where(row).whereRaw(`payload->>'orderId' = ?`, [orderId]);
    await ofOrder.update({ status: 'open', attempts: 0, due_at: shop.db.fn.now() });
  }

  async function untilRefunded(charge: string): Promise<void> {
    await waitFor('the second payment is refunded', async () => {
      return (await shop.sandbox.stripeClient.charges.retrieve(charge)).refunded;
    });
  }

  async function refundsOf(charge: string) {
    return (await shop.sandbox.stripeClient.refunds.list({ charge })).data;
  }

  async function expectStillPaid({ orderId }: PlacedOrder): Promise<void> {
    await untilApplied(shop);
    expect(await readOrder(shop, orderId)).toMatchObject({ status: 'paid', amountRefunded: 0 });
  }
});

describe('a former payment that could not be canceled at the switch', () => {
  test('is canceled as soon as its provider answers again', async () => {
    const { order } = await switchedWhileStripeIsDown(shop);
    shop.sandbox.faults.add({ target: 'stripe', mode: 'error', match: '/cancel', count: 2 });
    await setDue(shop, order.orderId, 'cancel-payment', '0 s');
    await waitFor('it is canceled', async () => {
      const intent = await shop.sandbox.stripeClient.paymentIntents.retrieve(order.paymentIntentId);
      return intent.status === 'canceled';
    });
    await untilApplied(shop);
    expect((await readOrder(shop, order.orderId)).status).toBe('pending');
  });

  test('keeps the order open while a bank is processing it, and ends with its outcome', async () => {
    const { order } = await switchedWhileStripeIsDown(shop);
    const { orderId, paymentIntentId: id } = order;
    expect((await pay(shop, order, 'pm_usBankAccount')).status).toBe('processing');
    await setDue(shop, orderId, 'cancel-payment', '-1 second');
    const cancellation = async () => (await jobsOf(shop, orderId, 'cancel-payment'))[0];
    await waitFor('it is postponed', async () => {
      const { status, due_at } = await cancellation();
      return status === 'open' && due_at > new Date(Date.now() + 50 * 60_000);
    });
    await age(shop, orderId, '25 hours');
    await checkNow(shop, orderId);
    await waitFor('the check', async () =>
      (await jobsOf(shop, orderId, 'reconcile-order')).some(({ status }) => status === 'done'),
    );
    await waitFor('its answers are applied', async () => {
      return (await shop.db('payment_events').where({ order_id: orderId, status: 'received' })).length === 0;
    });
    expect((await readOrder(shop, orderId)).status).toBe('pending');

    await stripeControl(shop, `/payment_intents/${id}/settle`, { outcome: 'succeeded' });
    await untilStatus(shop, orderId, 'paid');
    await setDue(shop, orderId, 'cancel-payment', '-1 second');
    await waitFor('it has ended', async () => (await cancellation()).status === 'done');
  });

  test('is the one that the page and the mails name, if it pays the order', async () => {
    const { order } = await switchedWhileStripeIsDown(shop);
    expect(await readOrder(shop, order.orderId)).toMatchObject({ paymentMethod: 'paypal' });
    await pay(shop, order);
    expect(await untilStatus(shop, order.orderId, 'paid')).toMatchObject({ paymentMethod: 'stripe' });
    await expectMailToStaff(order.orderId, order.paymentIntentId);
    const receipt = await waitFor('the receipt', async () =>
      (await mailsAbout(shop, order.orderId)).find(({ subject }) => subject.includes('receipt')),
    );
    expect(receipt.text).toMatch(/Payment method: +Card/);
  });

  test('names its provider when it is disputed', async () => {
    const { order } = await switchedWhileStripeIsDown(shop);
    const { latest_charge: charge } = await pay(shop, order);
    await untilStatus(shop, order.orderId, 'paid');
    const { id } = await stripeControl<{ id: string }>(shop, `/charges/${charge}/dispute`);
    await untilStatus(shop, order.orderId, 'disputed');
    const notice = await waitFor('the notice', async () =>
      (await mailsAbout(shop, order.orderId)).find(({ subject }) => subject.startsWith('Dispute opened')),
    );
    expect(notice.text).toMatch(/Provider: +Stripe/);
    expect(notice.text).not.toContain('PayPal');
    await stripeControl(shop, `/disputes/${id}/close`, { outcome: 'lost' });
    await untilStatus(shop, order.orderId, 'refunded');
    const outcome = await waitFor('the outcome', async () =>
      (await mailsAbout(shop, order.orderId)).find(({ subject }) => subject.startsWith('Your dispute')),
    );
    expect(outcome.text).toContain('Your bank closed your dispute');
  });

  test('is not the order’s new payment when the buyer returns to the card and Stripe answers 500', async () => {
    const { key, order } = await switchedWhileStripeIsDown(shop);
    shop.sandbox.behaviors.add({ name: 'stripe-stored-error', match: 'POST /payment_intents', count: 1 });
    const again = await placeOrder(shop, {}, key);
    expect(again.orderId).toBe(order.orderId);
    expect(again.paymentIntentId).not.toBe(order.paymentIntentId);
  });

  test('is reported to staff by mail once it fails permanently', async () => {
    const { order } = await switchedWhileStripeIsDown(shop);
    shop.sandbox.faults.add({ target: 'stripe', mode: 'error', code: 400, match: '/cancel' });
    await lastAttempt(shop, order.orderId, 'cancel-payment');
    const [alert] = await waitFor('the alert', async () => {
      const alerts = await emailsOf(shop, order.orderId, 'payment_end_failed_alert');
      return alerts.length > 0 && alerts;
    });
    expect(alert).toMatchObject({ paymentId: order.paymentIntentId, provider: 'stripe' });
    await expectMailToStaff(order.orderId, order.paymentIntentId);
  });
});

test('a card payment is canceled when the PayPal payment that the buyer has left pays the order', async () => {
  const { key, purchase, captured } = await payBySlowPaypal(shop);

  const { orderId, paymentIntentId } = await placeOrder(shop, {}, key);
  expect(orderId).toBe(purchase.orderId);
  expect(await (await captured).json()).toEqual({ status: 'COMPLETED' });

  await untilStatus(shop, orderId, 'paid');
  await waitFor('the card payment is canceled', async () => {
    const intent = await shop.sandbox.stripeClient.paymentIntents.retrieve(paymentIntentId);
    return intent.status === 'canceled';
  });
  await untilApplied(shop);
  expect(await readOrder(shop, orderId)).toMatchObject({ status: 'paid', paymentMethod: 'paypal' });
});

test('no card payment is offered if PayPal’s pays the order while it is being created', async () => {
  const { key, purchase, captured } = await payBySlowPaypal(shop);
  const creation = holdCall(shop, 'stripe', { match: 'POST /payment_intents', when: 'after' });

  const placed = placeOrder(shop, {}, key).catch((error: Error) => error.message);
  await creation.received();
  expect(await (await captured).json()).toEqual({ status: 'COMPLETED' });
  await untilStatus(shop, purchase.orderId, 'paid');
  creation.release();

  expect(await placed).toContain('order_changed');
});

async function expectMailToStaff(orderId: string, paymentId: string): Promise<void> {
  await waitFor('the mail', async () => {
    const mails = await mailsAbout(shop, orderId);
    return mails.some(({ to, text }) => to.includes(shop.config.mail.staff) && text.includes(paymentId));
  });
}

/** An approved PayPal payment that PayPal is about to capture. */
async function payBySlowPaypal(shop: Shop) {
  const key = randomUUID();
  const purchase = await placePaypalOrder(shop, key);
  await approve(shop, purchase);
  const match = purchase.paypalOrderId;
  shop.sandbox.behaviors.add({ name: 'paypal-slow-capture', ms: 2_000, match, count: 1 });
  const captured = capture(shop, purchase);
  await waitFor('PayPal captures', async () => shop.sandbox.behaviors.list().length === 0);
  return { key, purchase, captured };
}
