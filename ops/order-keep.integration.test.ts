import { beforeEach, describe, expect, test } from 'vitest';
import { findOrder } from '../db/orders.ts';
import { enqueue } from '../db/outbox.ts';
import { keepPayment } from '../orders/keep-payment.ts';
import { mailsAbout, readOrder, untilStatus } from '../testing/buyer.ts';
import { checkNow, emailsOf, jobsOf, lastAttempt, untilApplied } from '../testing/inbox.ts';
import { runOps } from '../testing/operator.ts';
import { listOrderHistory } from '../testing/order-history.ts';
import {
  discardRefund,
  isDead,
  type PaidTwice,
  paidTwice,
  refundFirst,
  withoutDuplicateRefund,
} from '../testing/second-payments.ts';
import { withShop } from '../testing/shop.ts';
import { buyByCard, stripeControl } from '../testing/stripe.ts';
import { waitFor } from '../testing/wait-for.ts';
import { commit } from './parts.ts';

const shop = await withShop({ worker: true });
beforeEach(() => shop.sandbox.faults.clear());

describe('a second payment, kept after the first one was refunded by hand', () => {
  test('pays the order, and the buyer is informed instead of getting another receipt', async () => {
    const paid = await withoutDuplicateRefund(shop);
    const { orderId, paymentIntentId: second } = paid.order;
    await refundFirst(shop, paid);
    await untilStatus(shop, orderId, 'refunded');

    expect(await keep(paid)).toMatchObject({ code: 0, out: 'Kept: the order is paid' });

    const order = await readOrder(shop, orderId);
    expect(order).toMatchObject({ status: 'paid', amountRefunded: 0, paymentMethod: 'stripe' });
    expect((await listOrderHistory(shop.db, orderId)).at(-1)).toMatchObject({
      ...{ from: 'refunded', to: 'paid', cause: 'operator' },
    });
    const timeline = await runOps(shop, ['order', 'show', orderId, '--json']);
    expect(timeline.out).toContain(`processed, kept ${second}: The buyer wants the work`);
    const shown = await runOps(shop, ['order', 'show', orderId]);
    expect(shown.out).toMatch(new RegExp(`^paid by +${second}$`, 'm'));
    const mail = await waitFor('the mail', async () =>
      (await mailsAbout(shop, orderId)).find(({ subject }) => subject.endsWith('order goes ahead')),
    );
    expect(mail.text).toMatch(/Payment method: +Card/);
    expect(await emailsOf(shop, orderId, 'order_confirmation')).toHaveLength(1);
    expect(await emailsOf(shop, orderId, 'payment_kept')).toEqual([{ paymentId: second }]);
  });

  test('is never refunded automatically, and agrees with the providers', async () => {
    const { orderId, paymentIntentId: paymentId, charge } = await kept();
    const payload = { orderId, paymentId };
    await shop.outbox.transaction(null, (trx) => enqueue(trx, { name: 'refund-duplicate', payload }));
    await waitFor('the job is done', async () => {
      return (await jobsOf(shop, orderId, 'refund-duplicate')).at(-1)?.status === 'done';
    });
    expect((await shop.sandbox.stripeClient.refunds.list({ charge })).data).toEqual([]);

    const compared = await runOps(shop, ['order', 'reconcile', orderId]);
    expect(compared).toMatchObject({ code: 0, out: 'Both sides agree: the order is paid' });
    const report = await runOps(shop, ['reconcile', '--report', '--since', '1h']);
    expect(report.out).not.toContain(orderId);
  });

  test('is refunded like any other, and the refund is announced', async () => {
    const { orderId, charge } = await kept();
    await shop.sandbox.stripeClient.refunds.create({ charge });
    expect(await untilStatus(shop, orderId, 'refunded')).toMatchObject({ amountRefunded: 299_900 });
    await untilApplied(shop);
    const notice = { refundedTotal: 299_900, refundedBefore: 0 };
    expect(await emailsOf(shop, orderId, 'refund_notice')).toEqual([notice, notice]);
  });

  test('still pays the order when the refund of the first one fails later, of which staff are alerted', async () => {
    const { orderId, paypalOrderId, refundId } = await kept();
    const refund = shop.sandbox.paypal.context.state.refunds.get(refundId);
    if (refund) refund.status = 'FAILED';
    await checkNow(shop, orderId);
    const alerts = await waitFor('the alert', async () => {
      const known = await emailsOf(shop, orderId, 'refund_failed_alert');
      return known.some((alert) => alert.refundId !== null) && known;
    });
    expect(alerts).toContainEqual(expect.objectContaining({ paymentId: paypalOrderId, refundId }));
    expect(await readOrder(shop, orderId)).toMatchObject({ status: 'paid', amountRefunded: 0 });
  });

  test('keeps the reason on the timeline, also after its event is replayed', async () => {
    const { orderId } = await kept();
    const event = await shop
      .db('payment_events')
      .where({ order_id: orderId, source: 'operator' })
      .first('id');
    expect(await runOps(shop, ['events', 'replay', event.id, '--yes'])).toMatchObject({ code: 0 });
    await untilApplied(shop);
    const { out } = await runOps(shop, ['order', 'show', orderId, '--json']);
    expect(out).toContain('The buyer wants the work');
    expect(await emailsOf(shop, orderId, 'payment_kept')).toHaveLength(1);
  });

  test('is kept although the order changes while the operator is asked', async () => {
    const paid = await withoutDuplicateRefund(shop);
    const { orderId, paymentIntentId } = paid.order;
    await refundFirst(shop, paid);
    await untilStatus(shop, orderId, 'refunded');
    const words = ['order', 'keep-payment', orderId, paymentIntentId, '--reason', 'Asked'];
    const outcome = await runOps(shop, words, async () => {
      await shop.db('orders').where({ id: orderId }).increment('version');
      return 'yes';
    });
    expect(outcome).toMatchObject({ code: 0, out: 'Kept: the order is paid' });
  });

  test('is kept once, and needs the operator’s consent', async () => {
    const paid = await withoutDuplicateRefund(shop);
    await refundFirst(shop, paid);
    await untilStatus(shop, paid.order.orderId, 'refunded');
    expect(await keep(paid, [])).toMatchObject({ code: 1, err: expect.stringContaining('--yes') });
    expect((await readOrder(shop, paid.order.orderId)).status).toBe('refunded');
    const order = await orderOf(paid);
    const paymentId = paid.order.paymentIntentId;
    const twice = [1, 2].map(() =>
      commit(shop.workerParts.db, (trx) => keepPayment(trx, order, { paymentId, reason: 'Twice' })).catch(
        (error: Error) => error.message,
      ),
    );
    const stored = (await Promise.all(twice)).filter((rows) => Array.isArray(rows) && rows.length === 1);
    expect(stored).toHaveLength(1);
    await untilStatus(shop, paid.order.orderId, 'paid');
    expect(await keep(paid)).toMatchObject({ code: 1, err: expect.stringContaining('own payment already') });
    expect(await emailsOf(shop, paid.order.orderId, 'payment_kept')).toHaveLength(1);
  });
});

describe('is refused', () => {
  test('while the first payment holds money: the order would be paid twice', async () => {
    const paid = await withoutDuplicateRefund(shop);
    await expectRefusal(paid, /would be paid twice: \w+ holds money/);
  });

  test('while the second is still to be refunded, until its failed job is discarded', async () => {
    const paid = await paidTwice(shop, { mode: 'error', code: 400 });
    await lastAttempt(shop, paid.order.orderId, 'refund-duplicate');
    await waitFor('the job is dead', () => isDead(shop, paid));
    shop.sandbox.faults.clear();
    await refundFirst(shop, paid);
    await untilStatus(shop, paid.order.orderId, 'refunded');
    await expectRefusal(paid, /refund of pi_\w+ is still to be made/);
    await discardRefund(shop, paid);
    expect(await keep(paid)).toMatchObject({ code: 0 });
  });

  test('once the second was refunded or is disputed, also where only the provider knows it', async () => {
    const paid = await withoutDuplicateRefund(shop);
    await refundFirst(shop, paid);
    await untilStatus(shop, paid.order.orderId, 'refunded');
    await untilApplied(shop);
    shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
    await stripeControl(shop, `/charges/${paid.charge}/dispute`);
    await expectRefusal(paid, /is disputed/);

    const other = await paidTwice(shop);
    await waitFor('it is refunded', async () => {
      return (await jobsOf(shop, other.order.orderId, 'refund-duplicate'))[0]?.status === 'done';
    });
    await expectRefusal(other, /was refunded/);
  });

  test('while the refund of the first one is not known here, until the order is reconciled', async () => {
    const paid = await withoutDuplicateRefund(shop);
    await untilApplied(shop);
    shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
    await refundFirst(shop, paid);
    await expectRefusal(paid, /First: ops order reconcile/);
    await runOps(shop, ['order', 'reconcile', paid.order.orderId, '--yes']);
    await untilStatus(shop, paid.order.orderId, 'refunded');
    expect(await keep(paid)).toMatchObject({ code: 0, out: 'Kept: the order is paid' });
  });

  test('for a payment of another order, and while the provider does not answer', async () => {
    const paid = await withoutDuplicateRefund(shop);
    const { paymentIntentId: foreign } = await buyByCard(shop);
    const refused = await runOps(shop, ['order', 'keep-payment', paid.order.orderId, foreign, ...consent]);
    expect(refused).toMatchObject({ code: 1, err: `${foreign} took no money for this order.` });
    shop.sandbox.faults.add({ target: 'stripe', mode: 'error' });
    await expect(keep(paid)).rejects.toThrow();
    expect((await orderOf(paid)).facts.kept).toBeUndefined();
  });

  test('if the order changes after the providers were asked', async () => {
    const paid = await withoutDuplicateRefund(shop);
    const order = await orderOf(paid);
    const earlier = { ...order, version: order.version - 1 };
    const decision = { paymentId: paid.order.paymentIntentId, reason: 'Late' };
    const stored = commit(shop.workerParts.db, (trx) => keepPayment(trx, earlier, decision));
    await expect(stored).rejects.toMatchObject({ code: 'order_changed' });
  });
});

const consent = ['--reason', 'The buyer wants the work', '--yes'];

/** Waits for the inbox first: an order that changes meanwhile is refused. */
async function keep({ order }: PaidTwice, words = ['--yes']) {
  const { orderId, paymentIntentId } = order;
  await untilApplied(shop);
  const reason = ['--reason', 'The buyer wants the work'];
  return runOps(shop, ['order', 'keep-payment', orderId, paymentIntentId, ...reason, ...words]);
}

async function kept() {
  const paid = await withoutDuplicateRefund(shop);
  const refundId = await refundFirst(shop, paid);
  await untilStatus(shop, paid.order.orderId, 'refunded');
  expect(await keep(paid)).toMatchObject({ code: 0, err: '' });
  return { ...paid, ...paid.order, refundId };
}

async function expectRefusal(paid: PaidTwice, why: RegExp): Promise<void> {
  const refused = await keep(paid);
  expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringMatching(why) });
  expect((await orderOf(paid)).facts.kept).toBeUndefined();
}

async function orderOf({ order }: PaidTwice) {
  const found = await findOrder(shop.db, order.orderId);
  if (!found) throw new Error(`order ${order.orderId} not found`);
  return found;
}
