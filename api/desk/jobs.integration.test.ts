import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { TodayView } from '../../core/desk.ts';
import type { JobAction } from '../../core/desk-actions.ts';
import { mailsAbout, untilStatus } from '../../testing/buyer.ts';
import { atDesk, type DeskCaller, freshOperators } from '../../testing/desk.ts';
import { emailsOf, failingSince, lastAttempt } from '../../testing/inbox.ts';
import { buyWithPaypal, paypalControl } from '../../testing/paypal.ts';
import { withShop } from '../../testing/shop.ts';
import { buyByCard } from '../../testing/stripe.ts';
import { waitFor } from '../../testing/wait-for.ts';

const shop = await withShop({ worker: true });
const [olive, marcus] = await freshOperators(shop);

describe('a refund that fails permanently', () => {
  test('is reported to staff by mail, listed today with its order, and made once, though two run it again', async () => {
    const { orderId, charge } = await buyByCard(shop);
    const jobId = await failedRefund(orderId, 100_000);

    await waitFor('the mail to staff', async () => {
      const mails = await mailsAbout(shop, orderId);
      return mails.some(({ to, subject }) => to.includes(shop.config.mail.staff) && /refund/i.test(subject));
    });
    expect(await refundsToday()).toMatchObject([
      { orderId, subject: { kind: 'job', id: jobId }, text: expect.stringContaining('Stripe') },
    ]);
    const { payments, timeline } = await olive.show(orderId);
    expect(payments[0]).toMatchObject({ refundable: 199_900, refunds: [] });
    expect(timeline.find(({ id, what }) => what === 'job' && id === jobId)).toMatchObject({
      ...{ name: 'refund-payment', status: 'dead' },
    });

    const answers = await Promise.all([act(olive, jobId, 'retry'), act(marcus, jobId, 'retry')]);

    expect(answers.sort()).toEqual([200, 409]);
    await untilStatus(shop, orderId, 'partially_refunded');
    expect((await shop.sandbox.stripeClient.refunds.list({ charge })).data).toMatchObject([
      { amount: 100_000 },
    ]);
    expect(await refundsToday()).toEqual([]);
    expect(await recordsOf(orderId)).toEqual(['refund', 'retry job']);
    expect(await act(marcus, jobId, 'retry')).toBe(409);
  });

  test('is reported as unknown if Stripe has answered 500, and made once it is run again', async () => {
    const { orderId, charge } = await buyByCard(shop);
    shop.sandbox.behaviors.add({ name: 'stripe-stored-error', match: '/refunds', count: 1 });
    expect((await olive.actOn(orderId, await olive.refundOf(orderId, 100_000))).status).toBe(200);
    await failingSince(shop, orderId, 'refund-payment', '25 hours');
    await lastAttempt(shop, orderId, 'refund-payment');
    const jobId = await deadRefund(orderId);
    expect(await emailsOf(shop, orderId, 'refund_failed_alert')).toMatchObject([{ why: 'unknown' }]);

    expect(await act(olive, jobId, 'retry')).toBe(200);

    await untilStatus(shop, orderId, 'partially_refunded');
    expect((await shop.sandbox.stripeClient.refunds.list({ charge })).data).toHaveLength(1);
  });

  test('at PayPal is made once it is run again', async () => {
    const { orderId } = await buyWithPaypal(shop);
    await untilStatus(shop, orderId, 'paid');
    const jobId = await failedRefund(orderId, 100_000);
    expect(await act(olive, jobId, 'retry')).toBe(200);
    await untilStatus(shop, orderId, 'partially_refunded');
    expect((await olive.show(orderId)).payments[0]?.refunds).toMatchObject([{ amount: 100_000 }]);
  });

  test.each([
    ['Stripe', 'stripe'],
    ['PayPal', 'paypal'],
  ] as const)('is not made by a retry if someone has made it at %s meanwhile', async (_name, provider) => {
    const { orderId, refundByHand } = await bought[provider]();
    const jobId = await failedRefund(orderId, 100_000);
    await refundByHand(100_000);
    await untilStatus(shop, orderId, 'partially_refunded');

    expect(await act(olive, jobId, 'retry')).toBe(200);

    const { last_error } = await waitFor('it has failed again', async () =>
      shop.db('outbox').where({ id: jobId, status: 'dead', attempts: 1 }).first('last_error'),
    );
    expect(last_error).toContain('which was not known when this one was requested');
    expect((await emailsOf(shop, orderId, 'refund_failed_alert')).map(({ why }) => why)).toEqual([
      'refused',
      'refunded_elsewhere',
    ]);
    expect((await olive.show(orderId)).amountRefunded).toBe(100_000);
    expect(await act(olive, jobId, 'discard')).toBe(200);
    expect((await olive.actOn(orderId, await olive.refundOf(orderId, 50_000))).status).toBe(200);
    await waitFor('the next refund', async () => (await olive.show(orderId)).amountRefunded === 150_000);
  });

  test.each([1, 2])(
    'is made at PayPal by retry %d, although PayPal repeats its refusals',
    async (retries) => {
      const { orderId, captureId } = await buyWithPaypal(shop);
      await untilStatus(shop, orderId, 'paid');
      shop.sandbox.behaviors.add({ name: 'paypal-refused-refund', match: captureId, count: retries });
      expect((await olive.actOn(orderId, await olive.refundOf(orderId, 100_000))).status).toBe(200);
      for (let n = 1; n <= retries; n++) {
        await lastAttempt(shop, orderId, 'refund-payment');
        expect(await act(olive, await deadRefund(orderId), 'retry')).toBe(200);
      }
      await untilStatus(shop, orderId, 'partially_refunded');
      expect((await olive.show(orderId)).payments[0]?.refunds).toMatchObject([{ amount: 100_000 }]);
    },
  );

  test('is not made if the payment has a refund that we had missed, which is then recorded', async () => {
    const { orderId, refundByHand } = await bought.stripe();
    shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
    await refundByHand(100_000);
    expect((await olive.actOn(orderId, await olive.refundOf(orderId, 50_000))).status).toBe(200);
    await untilStatus(shop, orderId, 'partially_refunded');
    expect((await olive.show(orderId)).amountRefunded).toBe(100_000);
    expect(await act(olive, await deadRefund(orderId), 'discard')).toBe(200);
    shop.sandbox.faults.clear();
    expect((await olive.actOn(orderId, await olive.refundOf(orderId, 50_000))).status).toBe(200);
    await waitFor('the next refund', async () => (await olive.show(orderId)).amountRefunded === 150_000);
  });

  test('is discarded on record, by one of two operators; its amount can be refunded again', async () => {
    const { orderId } = await buyByCard(shop);
    const jobId = await failedRefund(orderId, 299_900);
    expect((await olive.show(orderId)).payments[0]).toMatchObject({ refundable: 0 });

    const answers = await Promise.all([act(olive, jobId, 'discard'), act(marcus, jobId, 'discard')]);

    expect(answers.sort()).toEqual([200, 409]);
    expect((await olive.show(orderId)).payments[0]).toMatchObject({ refundable: 299_900, refunds: [] });
    expect(await shop.db('outbox').where({ id: jobId }).first('status', 'last_error')).toEqual({
      status: 'done',
      last_error: 'discarded: Refunded in the dashboard',
    });
    expect(await recordsOf(orderId)).toEqual(['refund', 'discard job']);
  });
});

test('actions on failed jobs need an operator and a fresh sign-in', async () => {
  const { orderId } = await buyByCard(shop);
  const jobId = await failedRefund(orderId, 1);
  const [vera, stale] = [await atDesk(shop, 'person-viewer'), await atDesk(shop)];
  for (const action of ['retry', 'discard'] as const) {
    expect(await act(vera, jobId, action)).toBe(403);
    expect(await act(stale, jobId, action)).toBe(403);
  }
  expect(await recordsOf(orderId)).toEqual(['refund']);
});

test('a repeated request discards once; jobs that have not failed are left alone', async () => {
  const { orderId } = await buyByCard(shop);
  const jobId = await failedRefund(orderId, 1);
  const key = randomUUID();
  expect([await act(olive, jobId, 'discard', key), await act(olive, jobId, 'discard', key)]).toEqual([
    200, 200,
  ]);
  expect(await act(olive, jobId, 'retry', key)).toBe(422);
  expect(await recordsOf(orderId)).toEqual(['refund', 'discard job']);
  const done = await shop.db('outbox').where({ status: 'done' }).first('id');
  expect(await act(olive, done.id, 'retry')).toBe(409);
  expect(await act(olive, '999999999', 'discard')).toBe(409);
});

test.each([
  ['an event', 'apply-payment-event', 'payments', 'payment_events', 'eventId'],
  ['an e-mail', 'send-email', 'emails', 'emails', 'emailId'],
] as const)('a failed job about %s is listed today with its order', async (_what, job, queue, table, key) => {
  const { orderId } = await buyByCard(shop);
  await waitFor('both mails', async () => (await mailsAbout(shop, orderId)).length === 2);
  const { id } = await shop.db(table).where({ order_id: orderId }).first('id');
  const row = { job, queue, payload: { [key]: id }, status: 'dead', due_at: new Date() };
  const [{ id: jobId }] = await shop.db('outbox').insert(row).returning('id');
  expect(await itemsToday('jobs_dead')).toMatchObject([{ orderId, subject: { kind: 'job', id: jobId } }]);
  await shop.db('outbox').where({ id: jobId }).delete();
});

const bought = {
  async stripe() {
    const { orderId, charge } = await buyByCard(shop);
    const { refunds } = shop.sandbox.stripeClient;
    return { orderId, refundByHand: (amount: number) => refunds.create({ charge, amount }) };
  },
  async paypal() {
    const { orderId, captureId } = await buyWithPaypal(shop);
    await untilStatus(shop, orderId, 'paid');
    const refundByHand = (cents: number) =>
      paypalControl(shop, `/captures/${captureId}/refund`, {
        amount: { value: (cents / 100).toFixed(2), currency_code: 'USD' },
      });
    return { orderId, refundByHand };
  },
};

/** The id of the job. */
async function failedRefund(orderId: string, amount: number): Promise<string> {
  for (const target of ['stripe', 'paypal'] as const) {
    shop.sandbox.faults.add({ target, mode: 'error', code: 400, match: '/refund' });
  }
  const { status } = await olive.actOn(orderId, await olive.refundOf(orderId, amount));
  expect(status).toBe(200);
  await lastAttempt(shop, orderId, 'refund-payment');
  const id = await deadRefund(orderId);
  shop.sandbox.faults.clear();
  return id;
}

/** The id of the job once it is a dead letter. */
async function deadRefund(orderId: string): Promise<string> {
  const { id } = await waitFor('the dead letter', async () =>
    shop
      .db('outbox')
      .where({ job: 'refund-payment', status: 'dead' })
      .whereRaw(`payload->>'orderId' = ?`, [orderId])
      .first('id'),
  );
  return id;
}

async function act(
  who: DeskCaller,
  jobId: string,
  action: JobAction['action'],
  key: string = randomUUID(),
): Promise<number> {
  const wanted: JobAction = { action, key, reason: 'Refunded in the dashboard' };
  return (await who.act(`/api/desk/jobs/${jobId}/actions`, wanted)).status;
}

function refundsToday() {
  return itemsToday('refunds_dead');
}

async function itemsToday(topic: string) {
  const { concerns } = await olive.read<TodayView>('/api/desk/today');
  return concerns.find(({ concern }) => concern.topic === topic)?.items ?? [];
}

async function recordsOf(orderId: string): Promise<string[]> {
  return shop.db('desk_actions').where({ order_id: orderId }).orderBy('id').pluck('action');
}
