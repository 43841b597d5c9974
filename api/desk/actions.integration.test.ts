import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { OrderAction } from '../../core/desk-actions.ts';
import { mailsAbout, pay, placeOrder, untilStatus } from '../../testing/buyer.ts';
import { actionsOf, atDesk, byBoth, freshOperators } from '../../testing/desk.ts';
import { holdCall } from '../../testing/held-call.ts';
import { untilApplied, untilDone } from '../../testing/inbox.ts';
import { placePaypalOrder } from '../../testing/paypal.ts';
import { withShop } from '../../testing/shop.ts';
import { buyByCard, stripeControl } from '../../testing/stripe.ts';
import { deliver, succeededEvent } from '../../testing/stripe-events.ts';
import { editSession } from '../../testing/visitor.ts';
import { waitFor } from '../../testing/wait-for.ts';

const shop = await withShop({ worker: true });
const [olive, marcus] = await freshOperators(shop);

describe('a decision on a payment under review', () => {
  test('settles the order; a second operator gets a conflict', async () => {
    const order = await placeOrder(shop);
    await deliver(shop, succeededEvent(order, { amount_received: 100 }));
    await untilStatus(shop, order.orderId, 'review');
    const decide = { action: 'decide', reason: 'The rest came by wire', seen: 'review' } as const;
    expect(await byBoth([olive, marcus], order.orderId, { ...decide, status: 'paid' })).toEqual([200, 409]);
    await untilStatus(shop, order.orderId, 'paid');
    const late = { ...decide, status: 'canceled', key: randomUUID() };
    const refused = await marcus.actOn(order.orderId, late);
    expect([refused.status, (await refused.json()).code]).toEqual([409, 'order_changed']);
    expect(await actionsOf(shop, order.orderId)).toEqual(['decide']);
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
    await olive.mustAct(order.orderId, await cancel(order.orderId));
    await untilStatus(shop, order.orderId, 'canceled');
    expect((await pay(shop, order)).error?.code).toBe('payment_intent_unexpected_state');
    const { timeline } = await show(order.orderId);
    expect(timeline.some(({ what, text }) => what === 'person' && text.includes('cancel'))).toBe(true);
  });

  test('is canceled once, though two operators ask for it', async () => {
    const { orderId } = await placeOrder(shop);
    expect((await byBoth([olive, marcus], orderId, await cancel(orderId)))[0]).toBe(200);
    await untilStatus(shop, orderId, 'canceled');
    await untilDone(shop, orderId, 'cancel-order');
    expect(await movesOf(orderId)).toEqual(['pending', 'canceled']);
  });

  test('that is paid before the worker gets to it stays paid', async () => {
    const order = await placeOrder(shop);
    shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
    await pay(shop, order);
    await olive.mustAct(order.orderId, await cancel(order.orderId));
    await untilStatus(shop, order.orderId, 'paid');
    await untilDone(shop, order.orderId, 'cancel-order');
    await untilApplied(shop);
    expect(await movesOf(order.orderId)).toEqual(['pending', 'paid']);
  });

  test.each([
    ['PayPal', 'card', () => payByPaypal(), 'orders/'],
    ['card', 'PayPal', () => payByCard(), '/cancel'],
  ] as const)(
    'that the buyer switches from %s to %s meanwhile is canceled, and so is the new payment',
    async (_former, _next, place, match) => {
      const { orderId, provider, switchMethod } = await place();
      const question = holdCall(shop, provider, { match });
      await olive.mustAct(orderId, await cancel(orderId));
      await question.received();
      const { paymentIntentId } = await switchMethod();
      question.release();
      await untilStatus(shop, orderId, 'canceled');
      await untilDone(shop, orderId, 'cancel-order');
      await untilApplied(shop);
      expect(await movesOf(orderId)).toEqual(['pending', 'canceled']);
      if (!paymentIntentId) return;
      const { status } = await shop.sandbox.stripeClient.paymentIntents.retrieve(paymentIntentId);
      expect(status).toBe('canceled');
    },
  );

  test.each([
    ['succeeded', 'paid'],
    ['failed', 'canceled'],
  ] as const)(
    'whose bank is processing a payment meanwhile: it %s, and the order is %s',
    async (outcome, end) => {
      const order = await placeOrder(shop);
      const { orderId, paymentIntentId } = order;
      const question = holdCall(shop, 'stripe', { match: '/cancel' });
      await olive.mustAct(orderId, await cancel(orderId));
      await question.received();
      await pay(shop, order, 'pm_usBankAccount');
      await untilStatus(shop, orderId, 'processing');
      question.release();
      await untilDone(shop, orderId, 'cancel-order');
      await untilApplied(shop);
      expect((await show(orderId)).status).toBe('processing');
      await stripeControl(shop, `/payment_intents/${paymentIntentId}/settle`, { outcome });
      await untilStatus(shop, orderId, end);
    },
  );

  test('gets no payment that was being created when it was canceled', async () => {
    const key = randomUUID();
    const creation = holdCall(shop, 'stripe', { match: 'POST /payment_intents', when: 'after' });
    const placed = placeOrder(shop, {}, key).catch((error: Error) => error.message);
    await creation.received();
    const { id: orderId } = await shop.db('orders').where({ idempotency_key: key }).first('id');
    await olive.mustAct(orderId, await cancel(orderId));
    await untilStatus(shop, orderId, 'canceled');
    creation.release();
    expect(await placed).toContain('order_changed');
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
  await olive.mustAct(order.orderId, { action: 'check', reason: 'The buyer called', key: randomUUID() });
  await untilStatus(shop, order.orderId, 'paid');
});

test('a check by two operators at once settles the order once; another one changes nothing', async () => {
  const { orderId, ...order } = await placeOrder(shop);
  shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop', match: order.paymentIntentId });
  await pay(shop, { orderId, ...order });
  const check = { action: 'check', reason: 'The buyer called' } as const;

  expect(await byBoth([olive, marcus], orderId, check)).toEqual([200, 200]);
  await untilStatus(shop, orderId, 'paid');
  await untilDone(shop, orderId, 'reconcile-order');
  await untilApplied(shop);
  await waitFor('both mails', async () => (await mailsAbout(shop, orderId)).length === 2);
  const stored = () => shop.db('orders').where({ id: orderId }).first('status', 'version', 'payment_facts');
  const settled = await stored();

  expect(await byBoth([olive, marcus], orderId, check)).toEqual([200, 200]);
  await untilDone(shop, orderId, 'reconcile-order');
  await untilApplied(shop);
  expect(await stored()).toEqual(settled);
  expect(await movesOf(orderId)).toEqual(['pending', 'paid']);
  expect(await shop.db('emails').where({ order_id: orderId })).toHaveLength(2);
  expect(await actionsOf(shop, orderId)).toEqual(['check', 'check', 'check', 'check']);
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
  expect(await byBoth([olive, marcus], order.orderId, resend)).toEqual([200, 409]);
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
  expect(await byBoth([olive, marcus], orderId, replay)).toEqual([200, 200]);

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
  expect(await byBoth([olive, marcus], orderId, { action: 'note', reason: 'Prefers mornings' })).toEqual([
    200, 200,
  ]);
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
    expect(await actionsOf(shop, orderId)).toEqual([]);
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
    expect(await actionsOf(shop, orderId)).toEqual([]);
  });
});

async function payByPaypal() {
  const key = randomUUID();
  const { orderId } = await placePaypalOrder(shop, key);
  return { orderId, provider: 'paypal' as const, switchMethod: () => placeOrder(shop, {}, key) };
}

async function payByCard() {
  const key = randomUUID();
  const { orderId } = await placeOrder(shop, {}, key);
  const switchMethod = async () => ({ ...(await placePaypalOrder(shop, key)), paymentIntentId: undefined });
  return { orderId, provider: 'stripe' as const, switchMethod };
}

const show = (orderId: string) => olive.show(orderId);

async function cancel(orderId: string): Promise<OrderAction> {
  const { status: seen } = await show(orderId);
  return { action: 'cancel', reason: 'Ordered twice', seen, key: randomUUID() };
}

async function movesOf(orderId: string): Promise<string[]> {
  return shop.db('order_history').where({ order_id: orderId }).orderBy('id').pluck('to_status');
}
