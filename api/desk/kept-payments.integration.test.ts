import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { OrderAction } from '../../core/desk-actions.ts';
import { mailsAbout, pay, untilStatus } from '../../testing/buyer.ts';
import { actionsOf, byBoth, freshOperators } from '../../testing/desk.ts';
import { emailsOf, jobsOf, lastAttempt, untilApplied, untilDone } from '../../testing/inbox.ts';
import { approve, capture } from '../../testing/paypal.ts';
import {
  isDead,
  paidTwice,
  refundFirst,
  switchedWhileStripeIsDown,
  withoutDuplicateRefund,
} from '../../testing/second-payments.ts';
import { withShop } from '../../testing/shop.ts';
import { waitFor } from '../../testing/wait-for.ts';

const shop = await withShop({ worker: true });
const [olive, marcus] = await freshOperators(shop);
beforeEach(() => shop.sandbox.faults.clear());

describe('a second payment, once the first one went back', () => {
  test('is kept at the desk, once, though two operators ask for it', async () => {
    const paid = await withoutDuplicateRefund(shop);
    const { orderId, paymentIntentId: second } = paid.order;
    expect(await keepableOf(orderId)).toEqual([]);
    await refundFirst(shop, paid);
    await untilStatus(shop, orderId, 'refunded');
    expect(await keepableOf(orderId)).toEqual([second]);

    const answers = await byBoth([olive, marcus], orderId, await keep(orderId, second));

    expect(answers[0]).toBe(200);
    await untilStatus(shop, orderId, 'paid');
    await untilDone(shop, orderId, 'keep-payment');
    expect(await emailsOf(shop, orderId, 'payment_kept')).toEqual([{ paymentId: second }]);
    expect(await keepableOf(orderId)).toEqual([]);
    const { timeline } = await olive.show(orderId);
    expect(timeline.map(({ name }) => name)).toContain('keep-payment');
    expect(timeline.some(({ what, text }) => what === 'person' && text.includes(`keep ${second}: `))).toBe(
      true,
    );
  });

  test('is kept although its amount is not the price, and can be refunded afterwards', async () => {
    const { orderId, second } = await paidTwiceInexactly(100_000);
    await olive.mustAct(orderId, await firstInFull(orderId));
    await untilStatus(shop, orderId, 'refunded');
    await untilDone(shop, orderId, 'refund-payment');
    await untilApplied(shop);

    await olive.mustAct(orderId, await keep(orderId, second));

    expect(await untilStatus(shop, orderId, 'paid')).toMatchObject({ amountRefunded: 0, moneyTaken: 'held' });
    const mail = await waitFor('the mail', async () =>
      (await mailsAbout(shop, orderId)).find(({ subject }) => subject.endsWith('order goes ahead')),
    );
    expect(mail.text).toMatch(/of\s+\$1,000\.00,\s+now\s+pays\s+for\s+the\s+order/);
    await shop.sandbox.stripeClient.refunds.create({ payment_intent: second });
    expect((await untilStatus(shop, orderId, 'refunded')).amountRefunded).toBe(100_000);
  });
});

describe('is refused', () => {
  test('while the first payment holds money, and while a refund of the second is still to be made', async () => {
    const paid = await paidTwice(shop, { mode: 'error', code: 400 });
    const { orderId, paymentIntentId: second } = paid.order;
    await expectRefusal(orderId, second, /would be paid twice/);
    await lastAttempt(shop, orderId, 'refund-duplicate');
    await waitFor('the job is dead', () => isDead(shop, paid));
    shop.sandbox.faults.clear();
    await refundFirst(shop, paid);
    await untilStatus(shop, orderId, 'refunded');
    await expectRefusal(orderId, second, /is still to be made/);
    expect(await actionsOf(shop, orderId)).toEqual([]);
  });

  test('by the worker, if only the provider knows why not: its job fails permanently, and says why', async () => {
    const paid = await withoutDuplicateRefund(shop);
    const { orderId, paymentIntentId: second } = paid.order;
    await refundFirst(shop, paid);
    await untilStatus(shop, orderId, 'refunded');
    await untilApplied(shop);
    shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
    await shop.sandbox.stripeClient.refunds.create({ payment_intent: second });
    await olive.mustAct(orderId, await keep(orderId, second));
    const [job] = await waitFor('the job is dead', async () => {
      const jobs = await jobsOf(shop, orderId, 'keep-payment');
      return jobs[0]?.status === 'dead' && jobs;
    });
    expect(job?.last_error).toContain('was refunded, or is about to be');
    await waitFor('staff get a mail', async () => {
      const alerts = shop.db('emails').where({ kind: 'job_dead_alert' });
      return alerts.whereRaw(`params->>'job' = 'keep-payment'`).first();
    });
  });

  async function expectRefusal(orderId: string, paymentId: string, why: RegExp): Promise<void> {
    const answer = await olive.actOn(orderId, await keep(orderId, paymentId));
    expect([answer.status, await answer.json()]).toMatchObject([
      409,
      { code: 'action_not_possible', message: expect.stringMatching(why) },
    ]);
  }
});

/** Paid by PayPal, then an inexact amount by the card payment that could not be canceled at the switch. */
async function paidTwiceInexactly(amount: number) {
  const { order, paypalOrderId } = await switchedWhileStripeIsDown(shop);
  const { orderId, paymentIntentId: second } = order;
  await approve(shop, { orderId, paypalOrderId });
  await capture(shop, { paypalOrderId });
  await untilStatus(shop, orderId, 'paid');
  Object.assign(shop.sandbox.stripe.state.paymentIntents.get(second) ?? {}, { amount });
  await pay(shop, order);
  await waitFor('staff get the alert', async () => {
    return (await emailsOf(shop, orderId, 'review_alert')).length === 1;
  });
  return { orderId, second };
}

async function firstInFull(orderId: string): Promise<OrderAction> {
  const { payments } = await olive.show(orderId);
  const { id: paymentId = '', refundable: left = 0 } = payments.find(({ role }) => role === 'current') ?? {};
  return { action: 'refund', reason: 'Agreed by phone', paymentId, amount: left, left, key: randomUUID() };
}

async function keep(orderId: string, paymentId: string): Promise<OrderAction> {
  const { status: seen } = await olive.show(orderId);
  return { action: 'keep', paymentId, reason: 'The buyer wants the work', seen, key: randomUUID() };
}

async function keepableOf(orderId: string): Promise<string[]> {
  const { payments } = await olive.show(orderId);
  return payments.filter(({ isKeepable }) => isKeepable).map(({ id }) => id);
}
