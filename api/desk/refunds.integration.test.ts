import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { untilStatus } from '../../testing/buyer.ts';
import { actionsOf, byBoth, freshOperators } from '../../testing/desk.ts';
import { checkNow, emailsOf, failingSince, untilApplied, untilDone } from '../../testing/inbox.ts';
import { buyWithPaypal, paypalControl } from '../../testing/paypal.ts';
import { withShop } from '../../testing/shop.ts';
import { buyByCard, stripeControl } from '../../testing/stripe.ts';
import { waitFor } from '../../testing/wait-for.ts';

const shop = await withShop({ worker: true });
const [olive, marcus] = await freshOperators(shop);

describe('a refund', () => {
  test('of a part and then of the rest goes through the provider, with an e-mail to the buyer for each', async () => {
    const { orderId } = await buyByCard(shop);
    await olive.mustAct(orderId, await refund(orderId, 100_000));
    await untilStatus(shop, orderId, 'partially_refunded');
    await waitFor('the worker is done with the first', async () => {
      const [payment] = (await show(orderId)).payments;
      return payment?.refundable === 199_900;
    });
    await waitFor('the report of the first is applied, also when the webhook came before it', async () => {
      const answer = await olive.actOn(orderId, await refund(orderId, 199_900));
      return answer.status === 200;
    });
    await untilStatus(shop, orderId, 'refunded');
    expect(await emailsOf(shop, orderId, 'refund_notice')).toHaveLength(2);
    expect(await actionsOf(shop, orderId)).toEqual(['refund', 'refund']);
    const { timeline } = await show(orderId);
    const refunds = timeline.filter(({ what, name }) => what === 'person' || name === 'refund-payment');
    expect(refunds.map(({ what }) => what)).toEqual(['person', 'job', 'person', 'job']);
  });

  test('works at PayPal', async () => {
    const { orderId } = await buyWithPaypal(shop);
    await untilStatus(shop, orderId, 'paid');
    await olive.mustAct(orderId, await refund(orderId, 99_900));
    await untilStatus(shop, orderId, 'partially_refunded');
    expect((await show(orderId)).amountRefunded).toBe(99_900);
  });

  test('requested twice with one key is made once', async () => {
    const { orderId } = await buyByCard(shop);
    const wanted = await refund(orderId, 100_000);
    const answers = await Promise.all([1, 2, 3].map(() => olive.actOn(orderId, wanted)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const other = await olive.actOn(orderId, { ...wanted, amount: 50_000 });
    expect([other.status, (await other.json()).code]).toEqual([422, 'idempotency_key_reused']);
    await untilStatus(shop, orderId, 'partially_refunded');
    expect((await show(orderId)).amountRefunded).toBe(100_000);
    expect(await actionsOf(shop, orderId)).toHaveLength(1);
  });

  test.each([
    [299_900, 'refunded'],
    [100_000, 'partially_refunded'],
  ] as const)('of %d cents by two operators at once is made once', async (amount, status) => {
    const { orderId } = await buyByCard(shop);
    expect(await byBoth([olive, marcus], orderId, await refund(orderId, amount))).toEqual([200, 409]);
    await untilStatus(shop, orderId, status);
    expect((await show(orderId)).payments[0]?.refunds).toMatchObject([{ amount }]);
  });

  test('is refused while the report of an earlier one waits for a worker', async () => {
    const { orderId } = await buyByCard(shop);
    const wanted = await refund(orderId, 100_000);
    const report = { provider: 'stripe', event_id: randomUUID(), type: 'report', source: 'operator' };
    await shop.db('payment_events').insert({ ...report, order_id: orderId, payload: '{}' });
    expect((await olive.actOn(orderId, wanted)).status).toBe(409);
    await shop.db('payment_events').where({ event_id: report.event_id }).delete();
    expect((await olive.actOn(orderId, wanted)).status).toBe(200);
    await untilStatus(shop, orderId, 'partially_refunded');
  });

  test('is pending while Stripe is down, and made once, though its answer is lost', async () => {
    const { orderId } = await buyByCard(shop);
    shop.sandbox.faults.add({ target: 'stripe', mode: 'error', match: '/refunds' });
    await olive.mustAct(orderId, await refund(orderId, 50_000));
    expect((await show(orderId)).payments[0]?.refunds).toMatchObject([{ amount: 50_000, status: 'pending' }]);
    shop.sandbox.faults.clear();
    shop.sandbox.faults.add({ target: 'stripe', mode: 'drop', when: 'after', count: 1, match: '/refunds' });
    await untilStatus(shop, orderId, 'partially_refunded', 30_000);
    expect((await show(orderId)).payments[0]?.refunds).toHaveLength(1);
  });

  test('that is repeated after Stripe has forgotten its key is made once', async () => {
    const { paymentIntentId, charge } = await buyByCard(shop);
    const { stripe } = shop.workerParts.gateways;
    for (const _day of [1, 2]) {
      await stripe.refundPart(paymentIntentId, { amount: 50_000, currency: 'USD' }, { key: 'key' });
      shop.sandbox.stripe.state.answers.clear();
    }
    expect((await shop.sandbox.stripeClient.refunds.list({ charge })).data).toHaveLength(1);
  });

  test('is made once although Stripe answers 500 and makes it later', async () => {
    const { orderId, charge } = await buyByCard(shop);
    shop.sandbox.behaviors.add({ name: 'stripe-unconfirmed-refund', match: charge, count: 1, ms: 1_500 });
    const wanted = await refund(orderId, 50_000);
    await olive.mustAct(orderId, wanted);
    await untilStatus(shop, orderId, 'partially_refunded');
    await untilDone(shop, orderId, 'refund-payment');
    expect((await shop.sandbox.stripeClient.refunds.list({ charge })).data).toHaveLength(1);
    const keys = [...shop.sandbox.stripe.state.answers.keys()].filter((key) => key.includes(wanted.key));
    expect(keys).toEqual([`refund-${wanted.key}`]);
  });

  test('is made with the next key half a day after Stripe stored a 500', async () => {
    const { orderId, charge } = await buyByCard(shop);
    shop.sandbox.behaviors.add({ name: 'stripe-stored-error', match: '/refunds', count: 1 });
    await olive.mustAct(orderId, await refund(orderId, 50_000));
    await failingSince(shop, orderId, 'refund-payment', '13 hours');
    await untilStatus(shop, orderId, 'partially_refunded');
    expect((await shop.sandbox.stripeClient.refunds.list({ charge })).data).toHaveLength(1);
  });

  test('in full closes an inquiry, and the buyer is notified of the refund only', async () => {
    const { orderId, charge } = await buyByCard(shop);
    await stripeControl(shop, `/charges/${charge}/dispute`, { inquiry: true });
    await untilStatus(shop, orderId, 'disputed');
    const notices = () => emailsOf(shop, orderId, 'dispute_notice');
    expect(await notices()).toMatchObject([{ state: 'opened', isRefundable: true }]);
    expect((await show(orderId)).disputes).toMatchObject([{ outcome: 'open', isRefundable: true }]);
    await olive.mustAct(orderId, await refund(orderId, 299_900));
    await untilStatus(shop, orderId, 'refunded');
    const [, closed] = await waitFor('the end', async () => (await notices()).length === 2 && notices());
    expect(closed).toMatchObject({ state: 'won', byRefund: true });
    expect((await show(orderId)).disputes).toMatchObject([{ outcome: 'won', byRefund: true }]);
    expect(await emailsOf(shop, orderId, 'refund_notice')).toHaveLength(1);
    expect(await emailsOf(shop, orderId, 'dispute_closed')).toEqual([]);
  });

  test.each(['stripe', 'paypal'] as const)(
    'after a dispute that was won at %s: it stays won',
    async (provider) => {
      const { orderId, disputeId } = await disputed[provider]();
      const [act, path] =
        provider === 'stripe' ? ([stripeControl, 'close'] as const) : ([paypalControl, 'resolve'] as const);
      await act(shop, `/disputes/${disputeId}/${path}`, { outcome: 'won' });
      await untilStatus(shop, orderId, 'paid');
      await olive.mustAct(orderId, await refund(orderId, 299_900));
      await untilStatus(shop, orderId, 'refunded');
      await checkNow(shop, orderId);
      await untilApplied(shop);
      expect((await show(orderId)).disputes).toMatchObject([{ outcome: 'won', byRefund: false }]);
    },
  );

  test('is made in full or not at all while a dispute at PayPal is open, and closes it', async () => {
    const { orderId, captureId } = await buyWithPaypal(shop);
    await paypalControl(shop, `/captures/${captureId}/dispute`);
    await untilStatus(shop, orderId, 'disputed');
    expect((await show(orderId)).payments).toMatchObject([{ refundable: 299_900, onlyInFull: true }]);
    const part = await olive.actOn(orderId, await refund(orderId, 100_000));
    expect([part.status, await part.json()]).toMatchObject([
      409,
      { message: 'While a dispute is open, only a refund of all $2,999.00 is possible.' },
    ]);
    await olive.mustAct(orderId, await refund(orderId, 299_900));
    await untilStatus(shop, orderId, 'refunded');
    await waitFor('its end', async () => (await show(orderId)).disputes[0]?.byRefund);
    expect((await show(orderId)).amountRefunded).toBe(299_900);
    expect(await emailsOf(shop, orderId, 'refund_notice')).toHaveLength(1);
    expect(await emailsOf(shop, orderId, 'dispute_closed')).toEqual([]);
  });

  test.each([
    ['PayPal reviews the case', 'INTERNAL', '/provide_evidence'],
    ['the bank charges it back', 'EXTERNAL', undefined],
  ])('is not offered while %s', async (_what, channel, then) => {
    const { orderId, captureId } = await buyWithPaypal(shop);
    const path = `/captures/${captureId}/dispute`;
    const { dispute_id: id } = await paypalControl<{ dispute_id: string }>(shop, path, { channel });
    await untilStatus(shop, orderId, 'disputed');
    if (then) await paypalControl(shop, `/disputes/${id}${then}`);
    await waitFor('it', async () => (await show(orderId)).payments[0]?.refundable === 0);
  });

  test('is not offered once an inquiry has become a chargeback', async () => {
    const { orderId, charge } = await buyByCard(shop);
    const { id } = await stripeControl<{ id: string }>(shop, `/charges/${charge}/dispute`, { inquiry: true });
    await untilStatus(shop, orderId, 'disputed');
    const wanted = await refund(orderId, 299_900);
    await stripeControl(shop, `/disputes/${id}/escalate`);
    await waitFor('the chargeback', async () => (await show(orderId)).payments[0]?.refundable === 0);
    const answer = await olive.actOn(orderId, wanted);
    expect([answer.status, (await answer.json()).code]).toEqual([409, 'order_changed']);
  });

  test('that is pending at the bank counts as made', async () => {
    const { orderId } = await buyByCard(shop);
    shop.sandbox.behaviors.add({ name: 'stripe-pending-refund', count: 1, value: 'succeeded', ms: 600_000 });
    await olive.mustAct(orderId, await refund(orderId, 299_900));
    const { payments } = await waitFor('it is known', async () => {
      const order = await show(orderId);
      return order.payments[0]?.refunds.length ? order : undefined;
    });
    expect(payments[0]).toMatchObject({ refundable: 0, refunds: [{ status: 'pending' }] });
    expect((await show(orderId)).status).toBe('paid');
  });

  test.each([0, -1, 299_901, 0.5])('of %d cents is refused', async (amount) => {
    const { orderId } = await buyByCard(shop);
    const { status } = await olive.actOn(orderId, await refund(orderId, amount));
    expect([400, 409]).toContain(status);
    expect(await actionsOf(shop, orderId)).toEqual([]);
  });
});

const disputed = {
  async stripe() {
    const { orderId, charge } = await buyByCard(shop);
    const { id } = await stripeControl<{ id: string }>(shop, `/charges/${charge}/dispute`);
    await untilStatus(shop, orderId, 'disputed');
    return { orderId, disputeId: id };
  },
  async paypal() {
    const { orderId, captureId } = await buyWithPaypal(shop);
    const path = `/captures/${captureId}/dispute`;
    const { dispute_id: disputeId } = await paypalControl<{ dispute_id: string }>(shop, path);
    await untilStatus(shop, orderId, 'disputed');
    return { orderId, disputeId };
  },
};

const show = (orderId: string) => olive.show(orderId);

const refund = (orderId: string, amount: number) => olive.refundOf(orderId, amount);
