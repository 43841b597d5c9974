import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { NO_FACTS } from '../core/payment-facts.ts';
import { queueEmails } from '../db/emails.ts';
import { transact } from '../db/unit-of-work.ts';
import { mailsAbout, pay, placeOrder, untilStatus } from '../testing/buyer.ts';
import { withShop } from '../testing/shop.ts';
import { stripeControl } from '../testing/stripe.ts';
import { deliver, succeededEvent } from '../testing/stripe-events.ts';
import { waitFor } from '../testing/wait-for.ts';
import { readToday } from './today.ts';

const shop = await withShop({ worker: true });
const topics = async () => (await readToday(shop.api)).concerns.map(({ concern }) => concern.topic);

test('a healthy shop has no concerns', async () => {
  const order = await placeOrder(shop);
  await pay(shop, order);
  await untilStatus(shop, order.orderId, 'paid');
  await waitFor('both mails', async () => (await mailsAbout(shop, order.orderId)).length === 2);
  expect(await readToday(shop.api)).toEqual({ concerns: [] });
});

test('messages are a concern only if there is a desk', async () => {
  const message = { name: 'Ada', email: 'ada@example.com', message: 'Hello' };
  await shop.db('contact_messages').insert(message);
  expect(await topics()).toEqual(['messages_unanswered']);
  const config = { staff: { viewers: [], operators: [] } };
  expect((await readToday({ ...shop.api, config })).concerns).toEqual([]);
  await shop.db('contact_messages').delete();
});

describe('evidence for disputes', () => {
  const dayMs = 86_400_000;
  afterEach(() => shop.db('orders').update({ payment_facts: JSON.stringify(NO_FACTS) }));

  test('is listed by its deadline, however old the order is', async () => {
    const urgent = await disputedOrder(dayMs);
    for (let newer = 0; newer < 21; newer++) await copyOf(urgent, 10 * dayMs);
    const [listed] = (await readToday(shop.api)).concerns;
    expect(listed?.concern).toMatchObject({ topic: 'evidence_due' });
    expect(listed?.items[0]?.orderId).toBe(urgent);
    expect(listed?.items).toHaveLength(20);
  });

  test('that can no longer be submitted does not hide another dispute', async () => {
    const urgent = await disputedOrder(dayMs);
    await copyOf(urgent, -dayMs);
    const [listed] = (await readToday(shop.api)).concerns;
    expect(listed?.concern).toMatchObject({ topic: 'evidence_due' });
    expect(listed?.items.map(({ orderId }) => orderId)).toEqual([urgent]);
  });

  test.each(['refunded', 'partially_refunded', 'paid', 'canceled'])(
    'is listed of an order that is %s',
    async (status) => {
      const orderId = await disputedOrder(dayMs);
      await shop.db('orders').where({ id: orderId }).update({ status });
      const [listed] = (await readToday(shop.api)).concerns;
      expect(listed?.concern).toMatchObject({ topic: 'evidence_due' });
      expect(listed?.items.map((item) => item.orderId)).toEqual([orderId]);
    },
  );

  async function disputedOrder(dueInMs: number): Promise<string> {
    const { orderId } = await placeOrder(shop);
    await shop.db('orders').where({ id: orderId }).update(disputed(dueInMs));
    return orderId;
  }

  async function copyOf(orderId: string, dueInMs: number): Promise<void> {
    const unique = { id: randomUUID(), idempotency_key: null, payment_intent_id: null };
    await shop.db.raw(
      `insert into orders select (jsonb_populate_record(orders, ?)).* from orders where id = ?`,
      [JSON.stringify({ ...unique, created_at: new Date() }), orderId],
    );
    await shop.db('orders').where({ id: unique.id }).update(disputed(dueInMs));
  }

  function disputed(dueInMs: number) {
    const dispute = { amount: 100, outcome: 'open', evidenceDueAt: Date.now() + dueInMs };
    return {
      status: 'disputed',
      payment_facts: JSON.stringify({ captures: {}, disputes: { dp_1: dispute } }),
    };
  }
});

test('paid orders without a confirmation are listed, but none whose confirmation is sent again', async () => {
  const { orderId } = await placeOrder(shop);
  const confirmations = ['missing', 'again'].map(
    (dedupeKey) =>
      ({ kind: 'order_confirmation', params: {}, orderId, delayMs: 3_600_000, dedupeKey }) as const,
  );
  await transact(shop.db, null, (trx) => queueEmails(trx, confirmations));
  const early = new Date(Date.now() - 16 * 60_000);
  await shop.db('emails').where({ order_id: orderId }).update({ created_at: early });
  await shop.db('emails').where({ dedupe_key: 'again' }).update({ sent_at: early });

  const [listed] = (await readToday(shop.api)).concerns;

  expect(listed?.concern).toEqual({ topic: 'orders_unconfirmed', count: 1 });
  expect(listed?.items).toMatchObject([{ orderId, at: early.toISOString() }]);
  await shop.db('emails').where({ order_id: orderId }).update({ created_at: new Date() });
});

test('an e-mail whose job failed is listed with the job, not among the refused ones', async () => {
  const { orderId } = await placeOrder(shop);
  const email = { kind: 'order_notice', order_id: orderId, claimed_at: new Date() };
  const [{ id: emailId }] = await shop
    .db('emails')
    .insert([
      { ...email, dedupe_key: 'dead', status: 'queued' },
      { ...email, dedupe_key: 'refused', status: 'refused' },
    ])
    .returning('id');
  const dead = { job: 'send-email', queue: 'emails', status: 'dead', due_at: new Date() };
  await shop.db('outbox').insert({ ...dead, payload: { emailId } });

  const { concerns } = await readToday(shop.api);

  expect(concerns.map(({ concern, items }) => [concern.topic, items.length])).toEqual([
    ['jobs_dead', 1],
    ['emails_refused', 1],
  ]);
  await shop.db('outbox').where(dead).delete();
  await shop.db('emails').where({ order_id: orderId }).delete();
});

test('a payment to review, a dispute, a failed job and a refused mail are listed at once, with their orders', async () => {
  const odd = await placeOrder(shop);
  await deliver(shop, succeededEvent(odd, { amount_received: 100 }));
  await untilStatus(shop, odd.orderId, 'review');

  shop.sandbox.faults.add({ target: 'smtp', mode: 'error', code: 550, match: 'refused@example.com' });
  const disputed = await placeOrder(shop, { customerEmail: 'refused@example.com' });
  const { latest_charge: charge } = await pay(shop, disputed);
  await untilStatus(shop, disputed.orderId, 'paid');
  await stripeControl(shop, `/charges/${charge}/dispute`);
  await untilStatus(shop, disputed.orderId, 'disputed');
  await shop.db('outbox').insert({
    job: 'refund-duplicate',
    queue: 'payments',
    payload: { orderId: odd.orderId, paymentId: 'pi_2' },
    status: 'dead',
    due_at: shop.db.fn.now(),
    last_error: 'PermanentFailure: refused',
  });
  await waitFor('the mail is refused', async () => (await topics()).includes('emails_refused'));

  for (const [job, subject] of [
    [
      'apply-payment-event',
      { eventId: (await shop.db('payment_events').where({ order_id: odd.orderId }).first('id')).id },
    ],
    [
      'send-email',
      { emailId: (await shop.db('emails').where({ order_id: disputed.orderId }).first('id')).id },
    ],
  ] as const) {
    await shop
      .db('outbox')
      .insert({ job, queue: 'payments', payload: subject, status: 'dead', due_at: new Date() });
  }

  const { concerns } = await readToday(shop.api);

  expect(concerns.map(({ concern }) => concern.topic)).toEqual([
    'orders_in_review',
    'evidence_due',
    'refunds_dead',
    'jobs_dead',
    'emails_refused',
  ]);
  expect(concerns.map(({ items }) => items.map(({ orderId }) => orderId))).toEqual([
    [odd.orderId],
    [disputed.orderId],
    [odd.orderId],
    [disputed.orderId, odd.orderId],
    [disputed.orderId],
  ]);
  const [, dispute] = concerns;
  expect(Date.parse(dispute?.items[0]?.at ?? '')).toBeGreaterThan(Date.now());
  expect(concerns[4]?.items[0]?.text).toContain('550');
});
