import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { OrderAction } from '../../core/desk-actions.ts';
import type { DeskOrder } from '../../core/desk-order.ts';
import { mailsAbout, type PlacedOrder, pay, placeOrder, untilStatus } from '../../testing/buyer.ts';
import { atDesk, type DeskCaller } from '../../testing/desk.ts';
import { emailsOf } from '../../testing/inbox.ts';
import { buyWithPaypal } from '../../testing/paypal.ts';
import { withShop } from '../../testing/shop.ts';
import { deliver, succeededEvent } from '../../testing/stripe-events.ts';
import { editSession } from '../../testing/visitor.ts';
import { waitFor } from '../../testing/wait-for.ts';

const shop = await withShop({ worker: true });
let olive: DeskCaller;
let second: DeskCaller;
beforeAll(async () => {
  olive = await atDesk(shop, 'person-operator', { fresh: true });
  second = await atDesk(shop, 'person-operator', { fresh: true });
});

describe('a refund', () => {
  test('of a part and then of the rest goes through the provider, with an e-mail to the buyer for each', async () => {
    const { orderId } = await paidOrder();
    await act(orderId, await refund(orderId, 100_000));
    await untilStatus(shop, orderId, 'partially_refunded');
    expect((await show(orderId)).payments[0]).toMatchObject({ refundable: 199_900 });
    await waitFor('the report of the first is applied, also when the webhook came before it', async () => {
      const answer = await olive.act(actionsPath(orderId), await refund(orderId, 199_900));
      return answer.status === 200;
    });
    await untilStatus(shop, orderId, 'refunded');
    expect(await emailsOf(shop, orderId, 'refund_notice')).toHaveLength(2);
    expect(await actionsOf(orderId)).toEqual(['refund', 'refund']);
  });

  test('works at PayPal', async () => {
    const { orderId } = await buyWithPaypal(shop);
    await untilStatus(shop, orderId, 'paid');
    await act(orderId, await refund(orderId, 99_900));
    await untilStatus(shop, orderId, 'partially_refunded');
    expect((await show(orderId)).amountRefunded).toBe(99_900);
  });

  test('asked for twice by one press is made once', async () => {
    const { orderId } = await paidOrder();
    const wanted = await refund(orderId, 100_000);
    const answers = await Promise.all([1, 2, 3].map(() => olive.act(actionsPath(orderId), wanted)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await untilStatus(shop, orderId, 'partially_refunded');
    expect((await show(orderId)).amountRefunded).toBe(100_000);
    expect(await actionsOf(orderId)).toHaveLength(1);
  });

  test('by two operators at once never returns more than was paid', async () => {
    const { orderId } = await paidOrder();
    const all = await refund(orderId, 299_900);
    const answers = await Promise.all(
      [olive, second].map((who) => who.act(actionsPath(orderId), { ...all, key: randomUUID() })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    await untilStatus(shop, orderId, 'refunded');
    expect((await show(orderId)).payments[0]?.refunds).toMatchObject([{ amount: 299_900 }]);
  });

  test('is refused while the report of an earlier one waits for a worker', async () => {
    const { orderId } = await paidOrder();
    const wanted = await refund(orderId, 100_000);
    const report = { provider: 'stripe', event_id: randomUUID(), type: 'report', source: 'operator' };
    await shop.db('payment_events').insert({ ...report, order_id: orderId, payload: '{}' });
    expect((await olive.act(actionsPath(orderId), wanted)).status).toBe(409);
    await shop.db('payment_events').where({ event_id: report.event_id }).delete();
    expect((await olive.act(actionsPath(orderId), wanted)).status).toBe(200);
    await untilStatus(shop, orderId, 'partially_refunded');
  });

  test('that gets no answer from the provider is made once all the same', async () => {
    const { orderId } = await paidOrder();
    shop.sandbox.faults.add({ target: 'stripe', mode: 'drop', when: 'after', count: 1, match: '/refunds' });
    await act(orderId, await refund(orderId, 50_000));
    await untilStatus(shop, orderId, 'partially_refunded', 30_000);
    expect((await show(orderId)).payments[0]?.refunds).toHaveLength(1);
  });

  test('that the bank has not made yet is pending, and counts as made', async () => {
    const { orderId } = await paidOrder();
    shop.sandbox.behaviours.add({ name: 'stripe-pending-refund', count: 1, value: 'succeeded', ms: 600_000 });
    await act(orderId, await refund(orderId, 299_900));
    const { payments } = await waitFor('it is known', async () => {
      const order = await show(orderId);
      return order.payments[0]?.refunds.length ? order : undefined;
    });
    expect(payments[0]).toMatchObject({ refundable: 0, refunds: [{ status: 'pending' }] });
    expect((await show(orderId)).status).toBe('paid');
  });

  test('of a part by two operators at once is made once: the second has not seen the first', async () => {
    const { orderId } = await paidOrder();
    const part = await refund(orderId, 100_000);
    const answers = await Promise.all(
      [olive, second].map((who) => who.act(actionsPath(orderId), { ...part, key: randomUUID() })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test.each([0, -1, 299_901, 0.5])('of %d cents is refused', async (amount) => {
    const { orderId } = await paidOrder();
    const { status } = await olive.act(actionsPath(orderId), await refund(orderId, amount));
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
    const answers = await Promise.all([
      olive.act(actionsPath(order.orderId), { ...decide, status: 'paid', key: randomUUID() }),
      second.act(actionsPath(order.orderId), { ...decide, status: 'paid', key: randomUUID() }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    await untilStatus(shop, order.orderId, 'paid');
    const late = { ...decide, status: 'canceled', key: randomUUID() };
    const refused = await second.act(actionsPath(order.orderId), late);
    expect([refused.status, (await refused.json()).code]).toEqual([409, 'order_changed']);
    expect(await actionsOf(order.orderId)).toEqual(['decide']);
  });

  test('of an order that is not under review is refused', async () => {
    const { orderId } = await placeOrder(shop);
    const wanted = { action: 'decide', status: 'paid', reason: 'No', seen: 'pending', key: randomUUID() };
    const answer = await olive.act(actionsPath(orderId), wanted);
    expect([answer.status, (await answer.json()).code]).toEqual([409, 'action_not_possible']);
  });
});

describe('an unpaid order', () => {
  test('is canceled at the provider first, so that it can no longer be paid', async () => {
    const order = await placeOrder(shop);
    await act(order.orderId, await cancel(order.orderId));
    await untilStatus(shop, order.orderId, 'canceled');
    expect((await pay(shop, order)).error?.message).toBeTruthy();
    const { timeline } = await show(order.orderId);
    expect(timeline.some(({ what, text }) => what === 'person' && text.includes('cancel'))).toBe(true);
  });

  test('that is paid before the worker gets to it stays paid', async () => {
    const order = await placeOrder(shop);
    shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
    await pay(shop, order);
    await act(order.orderId, await cancel(order.orderId));
    await untilStatus(shop, order.orderId, 'paid');
  });

  test('is not canceled once it is paid', async () => {
    const { orderId } = await paidOrder();
    expect((await olive.act(actionsPath(orderId), await cancel(orderId))).status).toBe(409);
  });
});

test('a check asks the provider now', async () => {
  const order = await placeOrder(shop);
  shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop', match: order.paymentIntentId });
  await pay(shop, order);
  await act(order.orderId, { action: 'check', reason: 'The buyer called', key: randomUUID() });
  await untilStatus(shop, order.orderId, 'paid');
});

test('an e-mail is read and sent again, but not one of another order', async () => {
  const { orderId } = await paidOrder();
  await waitFor('it is sent', async () => (await mailsAbout(shop, orderId)).length === 2);
  const { id: emailId } = await shop
    .db('emails')
    .where({ order_id: orderId, kind: 'order_confirmation' })
    .first('id');
  const mail = await olive.read<{ mail: { text: string } }>(`/api/desk/orders/${orderId}/emails/${emailId}`);
  expect(mail.mail.text).toContain(orderId);
  const resend = { action: 'resend', emailId, reason: 'Lost in spam' };
  await waitFor('its job has ended', async () => {
    const { status } = await olive.act(actionsPath(orderId), { ...resend, key: randomUUID() });
    return status === 200;
  });
  await waitFor('it came again', async () => (await mailsAbout(shop, orderId)).length === 3);

  const other = await placeOrder(shop);
  const answer = await olive.act(actionsPath(other.orderId), { ...resend, key: randomUUID() });
  expect(answer.status).toBe(409);
  expect((await olive.get(`/api/desk/orders/${other.orderId}/emails/${emailId}`)).status).toBe(404);
});

test('a note is kept on the time line with who and why', async () => {
  const { orderId } = await placeOrder(shop);
  await act(orderId, { action: 'note', reason: 'Prefers mornings', key: randomUUID() });
  const { timeline } = await show(orderId);
  expect(timeline.at(-1)).toMatchObject({
    what: 'person',
    text: 'olive.park@querywright.example: note: Prefers mornings',
  });
});

describe('what no one may do', () => {
  test.each(['decide', 'refund', 'cancel'] as const)('%s without a fresh sign-in', async (action) => {
    const stale = await atDesk(shop);
    const { orderId } = await paidOrder();
    const bodies = {
      decide: { status: 'paid', seen: 'paid' },
      refund: { amount: 1, left: 299_900, paymentId: 'pi_1' },
      cancel: { seen: 'paid' },
    };
    const wanted = { action, reason: 'Please', key: randomUUID(), ...bodies[action] };
    const answer = await stale.act(actionsPath(orderId), wanted);
    expect([answer.status, (await answer.json()).code]).toEqual([403, 'fresh_sign_in_required']);
    await editSession(shop, stale, ({ staff }) => {
      staff.freshUntil = Date.now() - 1;
    });
    expect((await stale.act(actionsPath(orderId), wanted)).status).toBe(403);
    expect(await actionsOf(orderId)).toEqual([]);
  });

  test('act without a reason, or from another site’s page', async () => {
    const { orderId } = await placeOrder(shop);
    const note = { action: 'note', key: randomUUID() };
    expect((await olive.act(actionsPath(orderId), { ...note, reason: ' ' })).status).toBe(400);
    const json = { 'content-type': 'application/json' };
    for (const headers of [json, { ...json, origin: 'https://evil.example' }]) {
      const body = JSON.stringify({ ...note, reason: 'Mine' });
      expect((await olive.send(actionsPath(orderId), { method: 'POST', headers, body })).status).toBe(403);
    }
    expect(await actionsOf(orderId)).toEqual([]);
  });
});

async function paidOrder(): Promise<PlacedOrder> {
  const order = await placeOrder(shop);
  await pay(shop, order);
  await untilStatus(shop, order.orderId, 'paid');
  return order;
}

const actionsPath = (orderId: string) => `/api/desk/orders/${orderId}/actions`;
const show = (orderId: string) => olive.read<DeskOrder>(`/api/desk/orders/${orderId}`);

async function act(orderId: string, wanted: OrderAction): Promise<void> {
  const answer = await olive.act(actionsPath(orderId), wanted);
  expect(answer.status, await answer.text()).toBe(200);
}

async function refund(orderId: string, amount: number): Promise<OrderAction> {
  const [{ id: paymentId, refundable: left } = { id: '', refundable: 0 }] = (await show(orderId)).payments;
  return { action: 'refund', reason: 'Agreed by phone', paymentId, amount, left, key: randomUUID() };
}

async function cancel(orderId: string): Promise<OrderAction> {
  const { status: seen } = await show(orderId);
  return { action: 'cancel', reason: 'Ordered twice', seen, key: randomUUID() };
}

async function actionsOf(orderId: string): Promise<string[]> {
  return shop.db('desk_actions').where({ order_id: orderId }).orderBy('id').pluck('action');
}
