import { expect, test } from 'vitest';
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

test('messages are a concern only where there is a desk to mark them at', async () => {
  const message = { name: 'Ada', email: 'ada@example.com', message: 'Hello' };
  await shop.db('contact_messages').insert(message);
  expect(await topics()).toEqual(['messages_unanswered']);
  const config = { staff: { viewers: [], operators: [] } };
  expect((await readToday({ ...shop.api, config })).concerns).toEqual([]);
  await shop.db('contact_messages').delete();
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
