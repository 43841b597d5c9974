import { describe, expect, test } from 'vitest';
import { refundableOf } from '../core/refunds.ts';
import { findOrder } from '../db/orders.ts';
import { readOrder, untilStatus } from '../testing/buyer.ts';
import { emailsOf, untilApplied } from '../testing/inbox.ts';
import { runOps } from '../testing/operator.ts';
import { buyWithPaypal, paypalControl } from '../testing/paypal.ts';
import { withShop } from '../testing/shop.ts';
import { buyByCard, stripeControl } from '../testing/stripe.ts';
import { waitFor } from '../testing/wait-for.ts';

const shop = await withShop({ worker: true });

describe('a failed refund is taken back, and staff and buyer are notified', () => {
  test('at Stripe, days after it had succeeded', async () => {
    const { orderId, charge } = await buyByCard(shop);
    const refund = await shop.sandbox.stripeClient.refunds.create({ charge });
    await untilStatus(shop, orderId, 'refunded');

    await stripeControl(shop, `/refunds/${refund.id}/fail`);

    expect((await untilStatus(shop, orderId, 'paid')).amountRefunded).toBe(0);
    await expectToldOfFailure(orderId, refund.id);
  });

  test('at Stripe, one of two', async () => {
    const { orderId, charge } = await buyByCard(shop);
    const first = await shop.sandbox.stripeClient.refunds.create({ charge, amount: 100_000 });
    await shop.sandbox.stripeClient.refunds.create({ charge, amount: 50_000 });
    await waitFor('both', async () => (await readOrder(shop, orderId)).amountRefunded === 150_000);
    await stripeControl(shop, `/refunds/${first.id}/fail`);
    await waitFor('one', async () => (await readOrder(shop, orderId)).amountRefunded === 50_000);
    expect((await readOrder(shop, orderId)).status).toBe('partially_refunded');
    await expectToldOfFailure(orderId, first.id);
  });

  test('at PayPal, after it had been pending', async () => {
    const { orderId, captureId } = await buyWithPaypal(shop);
    shop.sandbox.behaviors.add({ name: 'paypal-pending-refund', count: 1 });
    const refund = await paypalControl<{ id: string }>(shop, `/captures/${captureId}/refund`);
    await untilApplied(shop);
    expect(await readOrder(shop, orderId)).toMatchObject({ status: 'paid', amountRefunded: 0 });

    await paypalControl(shop, `/refunds/${refund.id}/settle`, { outcome: 'failed' });

    await expectToldOfFailure(orderId, refund.id);
    expect(await readOrder(shop, orderId)).toMatchObject({ status: 'paid', amountRefunded: 0 });
  });

  test('at PayPal, though it had closed a dispute in the buyer’s favor', async () => {
    const { orderId, captureId } = await buyWithPaypal(shop);
    const refundBy = (amount: object) =>
      paypalControl<{ id: string }>(shop, `/captures/${captureId}/refund`, amount);
    shop.sandbox.behaviors.add({ name: 'paypal-pending-refund', count: 1 });
    const pending = await refundBy({ amount: { currency_code: 'USD', value: '2000.00' } });
    await paypalControl(shop, `/captures/${captureId}/dispute`, { inquiry: true });
    await untilStatus(shop, orderId, 'disputed');
    await refundBy({});
    expect((await untilStatus(shop, orderId, 'partially_refunded')).amountRefunded).toBe(99_900);

    await paypalControl(shop, `/refunds/${pending.id}/settle`, { outcome: 'failed' });

    await expectToldOfFailure(orderId, pending.id);
    expect(await readOrder(shop, orderId)).toMatchObject({
      status: 'partially_refunded',
      amountRefunded: 99_900,
    });
    const order = await findOrder(shop.db, orderId);
    expect(order && refundableOf(order.facts, 'paypal')).toMatchObject([{ amount: 200_000 }]);
  });

  test('at PayPal, though it was all of a disputed payment', async () => {
    const { orderId, captureId } = await buyWithPaypal(shop);
    await paypalControl(shop, `/captures/${captureId}/dispute`, { inquiry: true });
    shop.sandbox.behaviors.add({ name: 'paypal-pending-refund', count: 1 });
    const refund = await paypalControl<{ id: string }>(shop, `/captures/${captureId}/refund`);
    await paypalControl(shop, `/refunds/${refund.id}/settle`, { outcome: 'failed' });
    await expectToldOfFailure(orderId, refund.id);
    await untilApplied(shop);
    expect(await readOrder(shop, orderId)).toMatchObject({ status: 'paid', amountRefunded: 0 });
  });

  async function expectToldOfFailure(orderId: string, refundId: string): Promise<void> {
    await waitFor('both mails', async () => (await emailsOf(shop, orderId, 'refund_failed')).length === 1);
    const [alert] = await emailsOf(shop, orderId, 'refund_failed_alert');
    expect(alert).toMatchObject({ refundId });
  }
});

describe('a pending refund counts once it has arrived', () => {
  test('at Stripe', async () => {
    const { orderId, charge } = await buyByCard(shop);
    shop.sandbox.behaviors.add({ name: 'stripe-pending-refund', count: 1 });
    const refund = await shop.sandbox.stripeClient.refunds.create({ charge });
    await untilApplied(shop);
    expect(await readOrder(shop, orderId)).toMatchObject({ status: 'paid', amountRefunded: 0 });
    expect(await emailsOf(shop, orderId, 'refund_notice')).toEqual([]);

    await stripeControl(shop, `/refunds/${refund.id}/settle`, { outcome: 'succeeded' });

    expect((await untilStatus(shop, orderId, 'refunded')).amountRefunded).toBe(299_900);
    expect(await emailsOf(shop, orderId, 'refund_notice')).toHaveLength(1);
  });

  test('at Stripe, and never if it is canceled', async () => {
    const { orderId, charge } = await buyByCard(shop);
    shop.sandbox.behaviors.add({ name: 'stripe-pending-refund', count: 1 });
    const refund = await shop.sandbox.stripeClient.refunds.create({ charge });
    await stripeControl(shop, `/refunds/${refund.id}/settle`, { outcome: 'canceled' });
    await waitFor('the mail', async () => (await emailsOf(shop, orderId, 'refund_failed')).length === 1);
    expect(await readOrder(shop, orderId)).toMatchObject({ status: 'paid', amountRefunded: 0 });
  });

  test('at PayPal', async () => {
    const { orderId, captureId } = await buyWithPaypal(shop);
    shop.sandbox.behaviors.add({ name: 'paypal-pending-refund', count: 1 });
    const refund = await paypalControl<{ id: string }>(shop, `/captures/${captureId}/refund`);
    await paypalControl(shop, `/refunds/${refund.id}/settle`, { outcome: 'completed' });
    expect((await untilStatus(shop, orderId, 'refunded')).amountRefunded).toBe(299_900);
    expect(await emailsOf(shop, orderId, 'refund_notice')).toHaveLength(1);
  });
});

describe('a dispute can turn', () => {
  test.each([
    ['lost, then won', 'lost', 'won', 'paid'],
    ['won, then lost', 'won', 'lost', 'refunded'],
  ] as const)('at Stripe: %s', async (_what, first, then, status) => {
    const { orderId, charge } = await buyByCard(shop);
    const dispute = await stripeControl<{ id: string }>(shop, `/charges/${charge}/dispute`);
    await untilStatus(shop, orderId, 'disputed');
    await stripeControl(shop, `/disputes/${dispute.id}/close`, { outcome: first });
    await untilStatus(shop, orderId, first === 'won' ? 'paid' : 'refunded');

    await stripeControl(shop, `/disputes/${dispute.id}/close`, { outcome: then });

    const { amountRefunded } = await untilStatus(shop, orderId, status);
    expect(amountRefunded).toBe(then === 'won' ? 0 : 299_900);
    const closed = await emailsOf(shop, orderId, 'dispute_closed');
    expect(closed.map(({ state }) => state)).toEqual([first, then]);
  });

  test('at Stripe: prevented, by returning the money', async () => {
    const { orderId, charge } = await buyByCard(shop);
    const dispute = await stripeControl<{ id: string }>(shop, `/charges/${charge}/dispute`);
    await untilStatus(shop, orderId, 'disputed');
    await stripeControl(shop, `/disputes/${dispute.id}/close`, { outcome: 'prevented' });
    expect((await untilStatus(shop, orderId, 'refunded')).amountRefunded).toBe(299_900);
  });

  test('at Stripe one that is won in part counts, and is announced, with what it took', async () => {
    const { orderId, charge } = await buyByCard(shop);
    const refund = await shop.sandbox.stripeClient.refunds.create({ charge, amount: 100_000 });
    await untilStatus(shop, orderId, 'partially_refunded');
    const dispute = await stripeControl<{ id: string }>(shop, `/charges/${charge}/dispute`, { ofAll: true });
    await untilStatus(shop, orderId, 'disputed');
    await stripeControl(shop, `/disputes/${dispute.id}/close`, { outcome: 'lost', returned: 100_000 });
    expect((await untilStatus(shop, orderId, 'refunded')).amountRefunded).toBe(299_900);
    expect(await emailsOf(shop, orderId, 'dispute_closed')).toMatchObject([
      { state: 'lost', amount: 199_900 },
    ]);

    await stripeControl(shop, `/refunds/${refund.id}/fail`);

    expect((await untilStatus(shop, orderId, 'partially_refunded')).amountRefunded).toBe(199_900);
  });

  test('at PayPal: won, then lost after an appeal', async () => {
    const { orderId, captureId } = await buyWithPaypal(shop);
    const opened = await paypalControl<{ dispute_id: string }>(shop, `/captures/${captureId}/dispute`);
    const resolve = (outcome: string) =>
      paypalControl(shop, `/disputes/${opened.dispute_id}/resolve`, { outcome });
    await untilStatus(shop, orderId, 'disputed');
    await resolve('won');
    await untilStatus(shop, orderId, 'paid');
    await resolve('lost');
    expect((await untilStatus(shop, orderId, 'refunded')).amountRefunded).toBe(299_900);
    await untilApplied(shop);
    const closed = await emailsOf(shop, orderId, 'dispute_closed');
    expect(closed.map(({ state }) => state)).toEqual(['won', 'lost']);
  });

  test('at PayPal: lost and booked, then won on appeal', async () => {
    const { orderId, captureId } = await buyWithPaypal(shop);
    const opened = await paypalControl<{ dispute_id: string }>(shop, `/captures/${captureId}/dispute`);
    const resolve = (outcome: string) =>
      paypalControl(shop, `/disputes/${opened.dispute_id}/resolve`, { outcome });
    await untilStatus(shop, orderId, 'disputed');
    await resolve('lost');
    expect((await untilStatus(shop, orderId, 'refunded')).amountRefunded).toBe(299_900);
    await untilApplied(shop);

    await resolve('won');

    expect(await untilStatus(shop, orderId, 'paid')).toMatchObject({ amountRefunded: 0, moneyTaken: 'held' });
    const closed = await emailsOf(shop, orderId, 'dispute_closed');
    expect(closed.map(({ state }) => state)).toEqual(['lost', 'won']);
    const [, , notice] = await emailsOf(shop, orderId, 'dispute_notice');
    expect(notice).toMatchObject({ state: 'won', byRefund: false });
    expect((await runOps(shop, ['order', 'reconcile', orderId])).out).toBe(
      'Both sides agree: the order is paid',
    );
    await paypalControl(shop, `/captures/${captureId}/refund`);
    expect((await untilStatus(shop, orderId, 'refunded')).amountRefunded).toBe(299_900);
  });

  test('at PayPal a lost one counts once, with or without a reversal', async () => {
    const booked = await buyWithPaypal(shop);
    await loseAtPaypal(booked);
    shop.sandbox.behaviors.add({ name: 'paypal-unbooked-dispute', count: 1 });
    const unbooked = await buyWithPaypal(shop);
    await loseAtPaypal(unbooked);
    for (const { orderId } of [booked, unbooked]) {
      expect((await untilStatus(shop, orderId, 'refunded')).amountRefunded).toBe(299_900);
    }
  });

  test('at PayPal one that ends with a partial refund counts as that refund', async () => {
    const { orderId, captureId } = await buyWithPaypal(shop);
    const opened = await paypalControl<{ dispute_id: string }>(shop, `/captures/${captureId}/dispute`);
    await untilStatus(shop, orderId, 'disputed');
    const amount = { currency_code: 'USD', value: '500.00' };
    await paypalControl(shop, `/disputes/${opened.dispute_id}/resolve`, { outcome: 'lost', amount });
    expect((await untilStatus(shop, orderId, 'partially_refunded')).amountRefunded).toBe(50_000);
    expect(await emailsOf(shop, orderId, 'dispute_closed')).toMatchObject([
      { state: 'lost', amount: 50_000 },
    ]);
  });

  test.each([
    ['none', []],
    ['payout', [{ state: 'won', byPayout: true }]],
  ])('at PayPal one that no one won is not called won: %s', async (outcome, closings) => {
    const { orderId, captureId } = await buyWithPaypal(shop);
    const opened = await paypalControl<{ dispute_id: string }>(shop, `/captures/${captureId}/dispute`);
    await untilStatus(shop, orderId, 'disputed');
    await paypalControl(shop, `/disputes/${opened.dispute_id}/resolve`, { outcome });
    expect((await untilStatus(shop, orderId, 'paid')).amountRefunded).toBe(0);
    const [, ...closed] = await emailsOf(shop, orderId, 'dispute_notice');
    expect(closed).toMatchObject(closings);
    expect(await emailsOf(shop, orderId, 'dispute_closed')).toEqual([]);
  });

  async function loseAtPaypal({ orderId, captureId }: { orderId: string; captureId: string }) {
    const { dispute_id: id } = await paypalControl<{ dispute_id: string }>(
      shop,
      `/captures/${captureId}/dispute`,
    );
    await untilStatus(shop, orderId, 'disputed');
    await paypalControl(shop, `/disputes/${id}/resolve`, { outcome: 'lost' });
  }
});

test('staff get a dispute’s reason, deadline and a reminder; the buyer gets its outcome', async () => {
  const { orderId, charge } = await buyByCard(shop);
  const dispute = await stripeControl<{ id: string; evidence_details: { due_by: number } }>(
    shop,
    `/charges/${charge}/dispute`,
    { reason: 'product_not_received' },
  );
  await untilStatus(shop, orderId, 'disputed');
  const evidenceDueAt = new Date(dispute.evidence_details.due_by * 1000).toISOString();
  const details = { disputeId: dispute.id, amount: 299_900, reason: 'product_not_received', evidenceDueAt };
  expect(await emailsOf(shop, orderId, 'dispute_notice')).toMatchObject([{ ...details, state: 'opened' }]);
  expect(await emailsOf(shop, orderId, 'dispute_reminder')).toMatchObject([details]);
  expect(await emailsOf(shop, orderId, 'dispute_closed')).toEqual([]);
  await stripeControl(shop, `/disputes/${dispute.id}/close`, { outcome: 'lost' });
  await untilStatus(shop, orderId, 'refunded');
  expect(await emailsOf(shop, orderId, 'dispute_closed')).toMatchObject([{ state: 'lost', amount: 299_900 }]);
});

test('a dispute whose evidence is due in 40 days is applied, and staff are reminded three days before', async () => {
  const { orderId, charge } = await buyByCard(shop);
  await stripeControl(shop, `/charges/${charge}/dispute`, { dueInDays: 40 });
  await untilStatus(shop, orderId, 'disputed');
  const { days } = await shop
    .db('outbox')
    .join('emails', 'emails.id', shop.db.raw(`(outbox.payload->>'emailId')::bigint`))
    .where({ order_id: orderId, kind: 'dispute_reminder' })
    .first(shop.db.raw(`round(extract(epoch from due_at - now()) / 86400)::int as days`));
  expect(days).toBe(37);
});

test.each([
  ['stripe', '/disputes/ID/close', '/disputes/ID/appeal'],
  ['paypal', '/disputes/ID/provide_evidence', '/disputes/ID/require_evidence'],
] as const)(
  'staff are notified each time evidence is requested for a dispute at %s',
  async (provider, first, again) => {
    const { orderId, id } = await disputed[provider]();
    await untilStatus(shop, orderId, 'disputed');
    const act = provider === 'stripe' ? stripeControl : paypalControl;
    const notices = () => emailsOf(shop, orderId, 'dispute_notice');
    await act(shop, first.replace('ID', id), { outcome: 'lost' });
    await waitFor('no evidence is due', async () => {
      return (await findOrder(shop.db, orderId))?.facts.disputes[id]?.evidenceDueAt === undefined;
    });
    const before = (await notices()).length;

    await act(shop, again.replace('ID', id));

    const notice = await waitFor('the notice', async () => (await notices())[before]);
    const dueAt = (await findOrder(shop.db, orderId))?.facts.disputes[id]?.evidenceDueAt;
    expect(notice).toMatchObject({ state: 'opened', evidenceDueAt: new Date(dueAt ?? 0).toISOString() });
    expect((await untilStatus(shop, orderId, 'disputed')).amountRefunded).toBe(0);
    const reminders = await emailsOf(shop, orderId, 'dispute_reminder');
    expect(reminders.map(({ evidenceDueAt }) => evidenceDueAt)).toContain(notice.evidenceDueAt);
  },
);

test.each(['stripe', 'paypal'] as const)(
  'no one is reminded of evidence that was submitted to %s',
  async (provider) => {
    const { orderId, id } = await disputed[provider]();
    await untilStatus(shop, orderId, 'disputed');
    const dueAt = async () => (await findOrder(shop.db, orderId))?.facts.disputes[id]?.evidenceDueAt;
    expect(await dueAt()).toBeGreaterThan(Date.now());
    const reminder = () => shop.db('emails').where({ order_id: orderId, kind: 'dispute_reminder' }).first();
    const { id: emailId } = await reminder();

    await (provider === 'stripe'
      ? stripeControl(shop, `/disputes/${id}/submit_evidence`)
      : paypalControl(shop, `/disputes/${id}/provide_evidence`));

    await waitFor('no evidence is due', async () => (await dueAt()) === undefined);
    await shop
      .db('outbox')
      .whereRaw(`payload = jsonb_build_object('emailId', ?::text)`, [emailId])
      .update({ due_at: shop.db.fn.now() });
    await waitFor('the reminder is dropped', async () => (await reminder()).status === 'dropped');
  },
);

const disputed = {
  async stripe() {
    const { orderId, charge } = await buyByCard(shop);
    return { orderId, ...(await stripeControl<{ id: string }>(shop, `/charges/${charge}/dispute`)) };
  },
  async paypal() {
    const { orderId, captureId } = await buyWithPaypal(shop);
    const dispute = await paypalControl<{ dispute_id: string }>(shop, `/captures/${captureId}/dispute`);
    return { orderId, id: dispute.dispute_id };
  },
};

test('fraud warnings, reviews and failed payouts reach staff', async () => {
  const { orderId, charge } = await buyByCard(shop);
  await stripeControl(shop, `/charges/${charge}/early_fraud_warning`);
  await stripeControl(shop, `/charges/${charge}/review`);
  await waitFor('both warnings', async () => {
    const warnings = await emailsOf(shop, orderId, 'fraud_warning_alert');
    return (
      warnings
        .map(({ warning }) => warning)
        .sort()
        .join() === 'early_fraud_warning,review'
    );
  });
  await stripeControl(shop, '/payouts', { status: 'failed' });
  await waitFor('the payout', () => shop.db('emails').where({ kind: 'payout_failed_alert' }).first());
});

test('payouts are listed with the events, from their start to the bank account', async () => {
  const { id } = await stripeControl<{ id: string }>(shop, '/payouts', { status: 'paid' });
  const notes = () =>
    shop.db('payment_events').where('note', 'like', `%${id}%`).orderBy('note').pluck('note');
  await waitFor('both events', async () => (await notes()).length === 2);
  expect(await notes()).toEqual([`payout_paid: ${id}, $1,000.00`, `payout_pending: ${id}, $1,000.00`]);
  expect(await shop.db('emails').where({ kind: 'payout_failed_alert' }).whereLike('dedupe_key', id)).toEqual(
    [],
  );
});
