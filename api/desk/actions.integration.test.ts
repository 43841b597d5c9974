import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { OrderAction } from '../../core/desk-actions.ts';
import { mailsAbout, pay, placeOrder, untilStatus } from '../../testing/buyer.ts';
import { atDesk, freshOperators } from '../../testing/desk.ts';
import { emailsOf, failingSince, jobsOf, untilApplied } from '../../testing/inbox.ts';
import { buyWithPaypal, paypalControl } from '../../testing/paypal.ts';
import { withShop } from '../../testing/shop.ts';
import { buyByCard, stripeControl } from '../../testing/stripe.ts';
import { deliver, succeededEvent } from '../../testing/stripe-events.ts';
import { editSession } from '../../testing/visitor.ts';
import { waitFor } from '../../testing/wait-for.ts';

const shop = await withShop({ worker: true });
const [olive, marcus] = await freshOperators(shop);

describe('a refund', () => {
  test('of a part and then of the rest goes through the provider, with an e-mail to the buyer for each', async () => {
    const { orderId } = await buyByCard(shop);
    await act(orderId, await refund(orderId, 100_000));
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
    expect(await actionsOf(orderId)).toEqual(['refund', 'refund']);
    const { timeline } = await show(orderId);
    const refunds = timeline.filter(({ what, name }) => what === 'person' || name === 'refund-payment');
    expect(refunds.map(({ what }) => what)).toEqual(['person', 'job', 'person', 'job']);
  });

  test('works at PayPal', async () => {
    const { orderId } = await buyWithPaypal(shop);
    await untilStatus(shop, orderId, 'paid');
    await act(orderId, await refund(orderId, 99_900));
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
    expect(await actionsOf(orderId)).toHaveLength(1);
  });

  test.each([
    [299_900, 'refunded'],
    [100_000, 'partially_refunded'],
  ] as const)('of %d cents by two operators at once is made once', async (amount, status) => {
    const { orderId } = await buyByCard(shop);
    expect(await byBoth(orderId, await refund(orderId, amount))).toEqual([200, 409]);
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
    await act(orderId, await refund(orderId, 50_000));
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
    shop.sandbox.behaviours.add({ name: 'stripe-unconfirmed-refund', match: charge, count: 1, ms: 1_500 });
    const wanted = await refund(orderId, 50_000);
    await act(orderId, wanted);
    await untilStatus(shop, orderId, 'partially_refunded');
    await untilDone(orderId, 'refund-payment');
    expect((await shop.sandbox.stripeClient.refunds.list({ charge })).data).toHaveLength(1);
    const keys = [...shop.sandbox.stripe.state.answers.keys()].filter((key) => key.includes(wanted.key));
    expect(keys).toEqual([`refund-${wanted.key}`]);
  });

  test('is made with the next key half a day after Stripe stored a 500', async () => {
    const { orderId, charge } = await buyByCard(shop);
    shop.sandbox.behaviours.add({ name: 'stripe-stored-error', match: '/refunds', count: 1 });
    await act(orderId, await refund(orderId, 50_000));
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
    await act(orderId, await refund(orderId, 299_900));
    await untilStatus(shop, orderId, 'refunded');
    const [, closed] = await waitFor('the end', async () => (await notices()).length === 2 && notices());
    expect(closed).toMatchObject({ state: 'won', byRefund: true });
    expect((await show(orderId)).disputes).toMatchObject([{ outcome: 'won', byRefund: true }]);
    expect(await emailsOf(shop, orderId, 'refund_notice')).toHaveLength(1);
    expect(await emailsOf(shop, orderId, 'dispute_closed')).toEqual([]);
  });

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
    await act(orderId, await refund(orderId, 299_900));
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
    shop.sandbox.behaviours.add({ name: 'stripe-pending-refund', count: 1, value: 'succeeded', ms: 600_000 });
    await act(orderId, await refund(orderId, 299_900));
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
    expect(await actionsOf(orderId)).toEqual([]);
  });
});

describe('a decision on a payment under review', () => {
  test('settles the order; a second operator gets a conflict', async () => {
    const order = await placeOrder(shop);
    await deliver(shop, succeededEvent(order, { amount_received: 100 }));
    await untilStatus(shop, order.orderId, 'review');
    const decide = { action: 'decide', reason: 'The rest came by wire', seen: 'review' } as const;
    expect(await byBoth(order.orderId, { ...decide, status: 'paid' })).toEqual([200, 409]);
    await untilStatus(shop, order.orderId, 'paid');
    const late = { ...decide, status: 'canceled', key: randomUUID() };
    const refused = await marcus.actOn(order.orderId, late);
    expect([refused.status, (await refused.json()).code]).toEqual([409, 'order_changed']);
    expect(await actionsOf(order.orderId)).toEqual(['decide']);
  });

  test('is reported again if the exact payment arrives after all', async () => {
    const order = await placeOrder(shop);
    await deliver(shop, succeededEvent(order, { amount_received: 100 }));
    await untilStatus(shop, order.orderId, 'review');
    const decide = { action: 'decide', status: 'paid', reason: 'The rest came by wire', seen: 'review' };
    await olive.actOn(order.orderId, { ...decide, key: randomUUID() });
    await untilStatus(shop, order.orderId, 'paid');
    const former = `pi_${randomUUID()}`;
    await shop
      .db('orders')
      .where({ id: order.orderId })
      .update({ former_payment_ids: [former] });

    await deliver(shop, succeededEvent({ ...order, paymentIntentId: former }));

    const mail = await waitFor('the mail', async () =>
      (await mailsAbout(shop, order.orderId)).find(({ subject }) => subject.startsWith('Extra payment')),
    );
    expect(mail).toMatchObject({ subject: 'Extra payment of $1.00 USD for a paid order' });
    const { payments } = await show(order.orderId);
    expect(payments.find(({ id }) => id === order.paymentIntentId)).toMatchObject({ refundable: 100 });
  });

  test('of an order that is not under review is refused', async () => {
    const { orderId } = await placeOrder(shop);
    const wanted = { action: 'decide', status: 'paid', reason: 'No', seen: 'pending', key: randomUUID() };
    const answer = await olive.actOn(orderId, wanted);
    expect([answer.status, (await answer.json()).code]).toEqual([409, 'action_not_possible']);
  });
});

describe('an unpaid order', () => {
  test('is canceled at the provider first, so that it can no longer be paid', async () => {
    const order = await placeOrder(shop);
    await act(order.orderId, await cancel(order.orderId));
    await untilStatus(shop, order.orderId, 'canceled');
    expect((await pay(shop, order)).error?.code).toBe('payment_intent_unexpected_state');
    const { timeline } = await show(order.orderId);
    expect(timeline.some(({ what, text }) => what === 'person' && text.includes('cancel'))).toBe(true);
  });

  test('is canceled once, though two operators ask for it', async () => {
    const { orderId } = await placeOrder(shop);
    expect((await byBoth(orderId, await cancel(orderId)))[0]).toBe(200);
    await untilStatus(shop, orderId, 'canceled');
    await untilDone(orderId, 'cancel-order');
    expect(await movesOf(orderId)).toEqual(['pending', 'canceled']);
  });

  test('that is paid before the worker gets to it stays paid', async () => {
    const order = await placeOrder(shop);
    shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
    await pay(shop, order);
    await act(order.orderId, await cancel(order.orderId));
    await untilStatus(shop, order.orderId, 'paid');
    await untilDone(order.orderId, 'cancel-order');
    await untilApplied(shop);
    expect(await movesOf(order.orderId)).toEqual(['pending', 'paid']);
  });

  test('is not canceled once it is paid', async () => {
    const { orderId } = await buyByCard(shop);
    expect((await olive.actOn(orderId, await cancel(orderId))).status).toBe(409);
  });
});

test('a check asks the provider now', async () => {
  const order = await placeOrder(shop);
  shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop', match: order.paymentIntentId });
  await pay(shop, order);
  await act(order.orderId, { action: 'check', reason: 'The buyer called', key: randomUUID() });
  await untilStatus(shop, order.orderId, 'paid');
});

test('a check by two operators at once settles the order once; another one changes nothing', async () => {
  const { orderId, ...order } = await placeOrder(shop);
  shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop', match: order.paymentIntentId });
  await pay(shop, { orderId, ...order });
  const check = { action: 'check', reason: 'The buyer called' } as const;

  expect(await byBoth(orderId, check)).toEqual([200, 200]);
  await untilStatus(shop, orderId, 'paid');
  await untilDone(orderId, 'reconcile-order');
  await untilApplied(shop);
  await waitFor('both mails', async () => (await mailsAbout(shop, orderId)).length === 2);
  const stored = () => shop.db('orders').where({ id: orderId }).first('status', 'version', 'payment_facts');
  const settled = await stored();

  expect(await byBoth(orderId, check)).toEqual([200, 200]);
  await untilDone(orderId, 'reconcile-order');
  await untilApplied(shop);
  expect(await stored()).toEqual(settled);
  expect(await movesOf(orderId)).toEqual(['pending', 'paid']);
  expect(await shop.db('emails').where({ order_id: orderId })).toHaveLength(2);
  expect(await actionsOf(orderId)).toEqual(['check', 'check', 'check', 'check']);
});

test('an e-mail is read and sent again, but not one of another order', async () => {
  const { orderId } = await buyByCard(shop);
  await waitFor('it is sent', async () => (await mailsAbout(shop, orderId)).length === 2);
  const { id: emailId } = await shop
    .db('emails')
    .where({ order_id: orderId, kind: 'order_confirmation' })
    .first('id');
  const mail = await olive.read<{ mail: { text: string } }>(`/api/desk/orders/${orderId}/emails/${emailId}`);
  expect(mail.mail.text).toContain(orderId);
  const resend = { action: 'resend', emailId, reason: 'Lost in spam' };
  await waitFor('its job has ended', async () => {
    const { status } = await olive.actOn(orderId, { ...resend, key: randomUUID() });
    return status === 200;
  });
  await waitFor('it came again', async () => (await mailsAbout(shop, orderId)).length === 3);

  const other = await placeOrder(shop);
  const answer = await olive.actOn(other.orderId, { ...resend, key: randomUUID() });
  expect(answer.status).toBe(409);
  expect((await olive.get(`/api/desk/orders/${other.orderId}/emails/${emailId}`)).status).toBe(404);
});

test('an e-mail is sent again once, though two operators ask for it', async () => {
  const customerEmail = 'twice@example.com';
  const order = await placeOrder(shop, { customerEmail });
  await pay(shop, order);
  const copies = async () =>
    (await mailsAbout(shop, order.orderId)).filter(({ to }) => to.includes(customerEmail)).length;
  await waitFor('it is sent', async () => (await copies()) === 1);
  const confirmation = { order_id: order.orderId, kind: 'order_confirmation' };
  const { id: emailId } = await shop.db('emails').where(confirmation).first('id');
  const job = () =>
    shop.db('outbox').where({ job: 'send-email' }).whereRaw(`payload->>'emailId' = ?`, [emailId]);
  await waitFor('its job has ended', () => job().where({ status: 'done' }).first());
  // It is on its way while the second one asks.
  const busy = { target: 'smtp', mode: 'error', code: 451, match: customerEmail } as const;
  shop.sandbox.faults.add(busy);
  const resend = { action: 'resend', emailId, reason: 'Lost in spam', key: randomUUID() } as const;
  expect(await byBoth(order.orderId, resend)).toEqual([200, 409]);
  shop.sandbox.faults.clear();
  await waitFor('it came again', async () => (await copies()) === 2);
});

test('an ignored event is applied once, though two operators apply it again, but not one of another order', async () => {
  const order = await placeOrder(shop);
  const event = succeededEvent(order);
  const { orderId } = order;
  const ignored = { provider: 'stripe', type: event.type, source: 'webhook', status: 'ignored' };
  const [{ id: eventId }] = await shop
    .db('payment_events')
    .insert({ ...ignored, event_id: event.id, order_id: orderId, payload: JSON.stringify(event) })
    .returning('id');

  const replay = { action: 'replay', eventId, reason: 'Discarded by mistake' } as const;
  expect(await byBoth(orderId, replay)).toEqual([200, 200]);

  await untilStatus(shop, orderId, 'paid');
  const runs = shop.db('outbox').whereRaw(`payload->>'eventId' = ?`, [eventId]).whereNot({ status: 'done' });
  await waitFor('no run is left', async () => (await runs.clone()).length === 0);
  expect(await shop.db('payment_events').where({ id: eventId }).pluck('status')).toEqual(['processed']);
  expect(await movesOf(orderId)).toEqual(['pending', 'paid']);
  expect(await shop.db('emails').where({ order_id: orderId })).toHaveLength(2);

  const other = await placeOrder(shop);
  expect((await olive.actOn(other.orderId, { ...replay, key: randomUUID() })).status).toBe(409);
});

test('notes that two operators write at once both appear on the timeline with their author', async () => {
  const { orderId } = await placeOrder(shop);
  expect(await byBoth(orderId, { action: 'note', reason: 'Prefers mornings' })).toEqual([200, 200]);
  const { timeline } = await show(orderId);
  const notes = timeline.filter(({ what }) => what === 'person').map(({ text }) => text);
  expect(notes.sort()).toEqual(
    ['marcus.webb', 'olive.park'].map((who) => `${who}@querywright.example: note: Prefers mornings`),
  );
});

describe('actions that are refused', () => {
  test.each(['decide', 'refund', 'cancel'] as const)('%s without a fresh sign-in', async (action) => {
    const stale = await atDesk(shop);
    const { orderId } = await buyByCard(shop);
    const bodies = {
      decide: { status: 'paid', seen: 'paid' },
      refund: { amount: 1, left: 299_900, paymentId: 'pi_1' },
      cancel: { seen: 'paid' },
    };
    const wanted = { action, reason: 'Please', key: randomUUID(), ...bodies[action] };
    const answer = await stale.actOn(orderId, wanted);
    expect([answer.status, (await answer.json()).code]).toEqual([403, 'fresh_sign_in_required']);
    await editSession(shop, stale, ({ staff }) => {
      staff.freshUntil = Date.now() - 1;
    });
    expect((await stale.actOn(orderId, wanted)).status).toBe(403);
    expect(await actionsOf(orderId)).toEqual([]);
  });

  test('act without a reason, or from another site’s page', async () => {
    const { orderId } = await placeOrder(shop);
    const note = { action: 'note', key: randomUUID() };
    expect((await olive.actOn(orderId, { ...note, reason: ' ' })).status).toBe(400);
    const json = { 'content-type': 'application/json' };
    for (const headers of [json, { ...json, origin: 'https://evil.example' }]) {
      const body = JSON.stringify({ ...note, reason: 'Mine' });
      expect(
        (await olive.send(`/api/desk/orders/${orderId}/actions`, { method: 'POST', headers, body })).status,
      ).toBe(403);
    }
    expect(await actionsOf(orderId)).toEqual([]);
  });
});

const show = (orderId: string) => olive.show(orderId);

async function act(orderId: string, wanted: OrderAction): Promise<void> {
  const answer = await olive.actOn(orderId, wanted);
  expect(answer.status, await answer.text()).toBe(200);
}

const refund = (orderId: string, amount: number) => olive.refundOf(orderId, amount);

/** The answers to two operators who ask for it at once. */
async function byBoth(orderId: string, wanted: object): Promise<number[]> {
  const answers = await Promise.all(
    [olive, marcus].map((who) => who.actOn(orderId, { ...wanted, key: randomUUID() })),
  );
  return answers.map(({ status }) => status).sort();
}

async function cancel(orderId: string): Promise<OrderAction> {
  const { status: seen } = await show(orderId);
  return { action: 'cancel', reason: 'Ordered twice', seen, key: randomUUID() };
}

/** No job of this name is left. */
async function untilDone(orderId: string, job: string): Promise<void> {
  await waitFor('no job is left', async () => {
    const jobs = await jobsOf(shop, orderId, job);
    return jobs.length > 0 && jobs.every(({ status }) => status === 'done');
  });
}

async function movesOf(orderId: string): Promise<string[]> {
  return shop.db('order_history').where({ order_id: orderId }).orderBy('id').pluck('to_status');
}

async function actionsOf(orderId: string): Promise<string[]> {
  return shop.db('desk_actions').where({ order_id: orderId }).orderBy('id').pluck('action');
}
