import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { TodayItem, TodayView } from '../../core/desk.ts';
import { post, untilStatus } from '../../testing/buyer.ts';
import { type DeskCaller, freshOperators } from '../../testing/desk.ts';
import { runOps } from '../../testing/operator.ts';
import { buyWithPaypal, paypalControl } from '../../testing/paypal.ts';
import { withShop } from '../../testing/shop.ts';
import { buyByCard, stripeControl } from '../../testing/stripe.ts';
import { waitFor } from '../../testing/wait-for.ts';

const shop = await withShop({ worker: true });
const [olive, marcus] = await freshOperators(shop);

describe('a refund that the bank sends back', () => {
  test('is listed with its order until one of two operators dismisses it, on record', async () => {
    const { orderId, charge } = await buyByCard(shop);
    const refund = await shop.sandbox.stripeClient.refunds.create({ charge, amount: 100_000 });
    await untilStatus(shop, orderId, 'partially_refunded');
    await stripeControl(shop, `/refunds/${refund.id}/fail`);

    const item = await untilListed('refunds_failed');
    expect(item).toMatchObject({ orderId, text: `Refund ${refund.id} of $1,000.00 at Stripe: failed` });
    const address = `/api/desk/transfers/${item.subject?.id}/dismiss`;
    const wanted = { key: randomUUID(), reason: 'Paid by bank transfer' };
    expect((await olive.act(address, { ...wanted, reason: ' ' })).status).toBe(400);
    const answers = await Promise.all([
      olive.act(address, wanted),
      marcus.act(address, { ...wanted, key: randomUUID() }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [taken, name] = answers[0]?.status === 200 ? [olive, 'olive.park'] : [marcus, 'marcus.webb'];
    const repeated = { ...wanted, key: await keyOf(orderId) };
    expect((await taken.act(address, repeated)).status).toBe(200);
    expect((await taken.act(address, { ...repeated, reason: 'Paid in cash' })).status).toBe(422);

    expect(await listed('refunds_failed')).toEqual([]);
    const { timeline } = await olive.show(orderId);
    expect(timeline.find(({ what }) => what === 'transfer')).toMatchObject({
      status: 'dismissed',
      text: `Refund ${refund.id} of $1,000.00 failed at stripe, dismissed: Paid by bank transfer`,
    });
    expect(timeline.filter(({ what }) => what === 'person').map(({ text }) => text)).toEqual([
      `${name}@querywright.example: dismiss transfer #${item.subject?.id}: Paid by bank transfer`,
    ]);
  });

  test('stays dismissed although its event is applied again', async () => {
    const { orderId, captureId } = await buyWithPaypal(shop);
    await untilStatus(shop, orderId, 'paid');
    shop.sandbox.behaviors.add({ name: 'paypal-pending-refund', count: 1 });
    const { id } = await paypalControl<{ id: string }>(shop, `/captures/${captureId}/refund`);
    await paypalControl(shop, `/refunds/${id}/settle`, { outcome: 'failed' });
    const item = await untilListed('refunds_failed');
    expect(item).toMatchObject({ orderId, text: expect.stringContaining(`Refund ${id}`) });
    expect((await runOps(shop, ['transfers', 'failed'])).out).toContain(id);

    const dismissal = [
      'transfers',
      'dismiss',
      item.subject?.id ?? '',
      '--reason',
      'called the buyer',
      '--yes',
    ];
    expect(await runOps(shop, dismissal.slice(0, 3))).toMatchObject({ code: 1 });
    expect(await runOps(shop, dismissal)).toMatchObject({ code: 0, out: 'Dismissed' });
    expect(await runOps(shop, dismissal)).toMatchObject({ code: 1 });
    await applyAgain('PAYMENT.REFUND.FAILED');
    expect(await listed('refunds_failed')).toEqual([]);
    const { timeline } = await olive.show(orderId);
    expect(timeline.find(({ what }) => what === 'transfer')?.text).toContain('dismissed: called the buyer');
  });
});

test('a payout that fails is listed until it is dismissed, and not again when its event is', async () => {
  const { id } = await stripeControl<{ id: string }>(shop, '/payouts', { status: 'failed' });
  const item = await untilListed('payouts_failed');
  expect(item).toMatchObject({ orderId: null, text: expect.stringContaining(`Payout ${id} of $1,000.00`) });
  const wanted = { key: randomUUID(), reason: 'New bank details' };
  const address = `/api/desk/transfers/${item.subject?.id}/dismiss`;
  expect((await olive.act(address, wanted)).status).toBe(200);
  await applyAgain('payout.failed');
  expect(await listed('payouts_failed')).toEqual([]);
  expect(await shop.db('desk_actions').where({ key: wanted.key }).first()).toMatchObject({
    action: 'dismiss transfer',
    subject: item.subject?.id,
    order_id: null,
    reason: 'New bank details',
  });
});

describe('a refused e-mail', () => {
  test('without an order is listed until one of two operators dismisses it, on record', async () => {
    shop.sandbox.faults.add({ target: 'smtp', mode: 'error', code: 550, match: 'ada@example.com' });
    await post(shop, '/api/newsletter/subscribe', { email: 'ada@example.com' });
    const item = await untilListed('emails_refused');
    expect(item).toMatchObject({ orderId: null, subject: { kind: 'email' } });
    const id = item.subject?.id ?? '';

    const act = (who: DeskCaller) =>
      who.act(`/api/desk/emails/${id}/dismiss`, { key: randomUUID(), reason: 'Called her' });
    const answers = await Promise.all([act(olive), act(marcus)]);

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await listed('emails_refused')).toEqual([]);
    expect(await shop.db('emails').where({ id }).first('status', 'last_error')).toEqual({
      status: 'dropped',
      last_error: 'dismissed: Called her',
    });
    expect(await shop.db('desk_actions').where({ subject: id }).select('action', 'reason')).toEqual([
      { action: 'dismiss e-mail', reason: 'Called her' },
    ]);
  });

  test('without an order is sent again once, though two operators ask for it', async () => {
    shop.sandbox.faults.add({ target: 'smtp', mode: 'error', code: 550, match: 'grace@example.com' });
    await post(shop, '/api/newsletter/subscribe', { email: 'grace@example.com' });
    const id = (await untilListed('emails_refused')).subject?.id ?? '';
    shop.sandbox.faults.clear();

    const act = (who: DeskCaller) =>
      who.act(`/api/desk/emails/${id}/resend`, { key: randomUUID(), reason: 'Her mailbox works again' });
    const answers = await Promise.all([act(olive), act(marcus)]);

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    await waitFor('it is sent', () => shop.db('emails').where({ id, status: 'sent' }).first());
    expect((await act(olive)).status).toBe(409);
    expect(await shop.sandbox.inbox.list('grace@example.com')).toHaveLength(1);
    expect(await listed('emails_refused')).toEqual([]);
    expect(await shop.db('desk_actions').where({ subject: id }).select('action', 'reason')).toEqual([
      { action: 'resend e-mail', reason: 'Her mailbox works again' },
    ]);
  });

  test('about an order is dismissed on its timeline; one that was sent is left alone', async () => {
    shop.sandbox.faults.clear();
    const { orderId } = await buyByCard(shop);
    const { id } = await waitFor('it is sent', () =>
      shop.db('emails').where({ order_id: orderId, kind: 'order_notice', status: 'sent' }).first('id'),
    );
    const dismiss = () =>
      olive.act(`/api/desk/emails/${id}/dismiss`, { key: randomUUID(), reason: 'Called' });
    expect((await dismiss()).status).toBe(409);
    await shop.db('emails').where({ id }).update({ status: 'refused' });
    expect((await dismiss()).status).toBe(200);
    const { timeline } = await olive.show(orderId);
    expect(timeline.filter(({ what }) => what === 'person').map(({ text }) => text)).toEqual([
      expect.stringMatching(/: dismiss e-mail #\d+: Called$/),
    ]);
  });
});

async function listed(topic: string): Promise<TodayItem[]> {
  const { concerns } = await olive.read<TodayView>('/api/desk/today');
  return concerns.find(({ concern }) => concern.topic === topic)?.items ?? [];
}

function untilListed(topic: string): Promise<TodayItem> {
  return waitFor('it is listed', async () => (await listed(topic))[0]);
}

/** The key of the action that was taken. */
async function keyOf(orderId: string): Promise<string> {
  return (await shop.db('desk_actions').where({ order_id: orderId }).first('key')).key;
}

async function applyAgain(type: string): Promise<void> {
  const { id } = await shop.db('payment_events').where({ type }).first('id');
  expect(await runOps(shop, ['events', 'replay', id, '--yes'])).toMatchObject({ code: 0 });
  await waitFor('it is applied', () => shop.db('payment_events').where({ id, status: 'processed' }).first());
}
