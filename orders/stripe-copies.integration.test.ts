import { Stripe } from 'stripe';
import { describe, expect, test, vi } from 'vitest';
import { type PlacedOrder, pay, placeOrder, post, readOrder, untilStatus } from '../testing/buyer.ts';
import { emailsOf, jobsOf, untilApplied, untilHandled } from '../testing/inbox.ts';
import { withShop } from '../testing/shop.ts';
import { stripeControl } from '../testing/stripe.ts';
import { deliver, event, succeededEvent } from '../testing/stripe-events.ts';
import { waitFor } from '../testing/wait-for.ts';

const shop = await withShop({ worker: true });

describe('one payment in two copies stays one payment, in either order', () => {
  const copies = [
    ['an event of 2020-08-27', { name: 'stripe-event-version', value: '2020-08-27' }],
    ['an event of 2022-08-01', { name: 'stripe-event-version', value: '2022-08-01' }],
    ['an event of 2024-06-20', { name: 'stripe-event-version', value: '2024-06-20' }],
    ['an event without its charge', { name: 'stripe-event-without-charge' }],
    ['an answer without its charge', { name: 'stripe-late-charge', count: 1 }],
  ] as const;

  test.each(copies)('%s, with the confirm call at the same time', async (_what, behavior) => {
    shop.sandbox.behaviors.add({ ...behavior });
    const order = await placeOrder(shop);
    const { latest_charge: charge = '' } = await pay(shop, order);
    await confirm(order);
    await untilStatus(shop, order.orderId, 'paid');
    shop.sandbox.behaviors.clear();
    await confirm(order);
    await expectPaidOnce(order, charge);
    await waitFor('the charge is known', async () => {
      const { payment_facts: facts } = await shop.db('orders').where({ id: order.orderId }).first();
      return facts.captures[order.paymentIntentId]?.captureId === charge;
    });
  });

  test('both without their charge', async () => {
    shop.sandbox.behaviors.add({ name: 'stripe-event-without-charge' });
    shop.sandbox.behaviors.add({ name: 'stripe-late-charge' });
    const order = await placeOrder(shop);
    const { latest_charge: charge = '' } = await pay(shop, order);
    await confirm(order);
    await untilStatus(shop, order.orderId, 'paid');
    await expectPaidOnce(order, charge);
  });

  async function expectPaidOnce({ orderId }: PlacedOrder, charge: string): Promise<void> {
    await untilApplied(shop);
    expect((await shop.sandbox.stripeClient.charges.retrieve(charge)).refunded).toBe(false);
    expect(await jobsOf(shop, orderId, 'refund-duplicate')).toEqual([]);
    expect(await readOrder(shop, orderId)).toMatchObject({ status: 'paid', amountRefunded: 0 });
    expect(await emailsOf(shop, orderId, 'order_confirmation')).toHaveLength(1);
    expect(await emailsOf(shop, orderId, 'duplicate_payment_alert')).toEqual([]);
  }
});

test('events of another API version are reported in the log, once per process', async () => {
  const warn = vi.spyOn(shop.workerParts.logger, 'warn');
  for (const _ of [1, 2]) {
    const order = await placeOrder(shop);
    await deliver(shop, { ...succeededEvent(order), api_version: '2019-01-01' });
    await untilStatus(shop, order.orderId, 'paid');
  }
  const said = warn.mock.calls.filter(([message]) => String(message).includes('API version 2019-01-01'));
  expect(said).toEqual([[expect.stringContaining(`create the webhook endpoint with ${Stripe.API_VERSION}`)]]);
  warn.mockRestore();
});

describe('an event that is not for us is ignored at once, with a note', () => {
  test('a payment of another application on the account', async () => {
    const { id } = await stripeControl<{ id: string }>(shop, '/other_payments');
    const row = await waitFor('the event', () =>
      shop
        .db('payment_events')
        .whereRaw(`payload->'data'->'object'->>'id' = ? and type = 'payment_intent.succeeded'`, [id])
        .whereNot({ status: 'received' })
        .first('status', 'note'),
    );
    expect(row).toEqual({ status: 'ignored', note: 'belongs to another application on this account' });
    await expectNoRetries(id);
  });

  test('a charge without a PaymentIntent', async () => {
    const foreign = event('charge.refunded', { id: 'ch_elsewhere', payment_intent: null });
    await deliver(shop, foreign);
    expect(await untilHandled(shop, foreign.id)).toMatchObject({ status: 'ignored' });
  });

  test('a live-mode event with a test key', async () => {
    const order = await placeOrder(shop);
    const live = { ...succeededEvent(order), livemode: true };
    await deliver(shop, live);
    const row = await untilHandled(shop, live.id);
    expect(row).toMatchObject({ status: 'ignored', note: 'livemode mismatch with our key: live event' });
    expect((await readOrder(shop, order.orderId)).status).toBe('pending');
  });

  test('a payment of another deployment', async () => {
    const order = await placeOrder(shop);
    const orderId = 'c7a0a3bb-6c1f-4d6b-9f43-0a0000000001';
    const metadata = { app: 'querywright', deployment: 'elsewhere', orderId };
    const foreign = succeededEvent({ ...order, orderId, paymentIntentId: 'pi_elsewhere' }, { metadata });
    await deliver(shop, foreign);
    expect(await untilHandled(shop, foreign.id)).toMatchObject({ note: 'belongs to another deployment' });
  });

  test('a thin event of API v2, whose signature is genuine', async () => {
    const type = 'v2.core.health.event_generation_failure.resolved';
    await stripeControl(shop, '/thin_events', { type });
    const row = await waitFor('the thin event', () =>
      shop.db('payment_events').where({ type }).whereNot({ status: 'received' }).first('status', 'note'),
    );
    expect(row).toEqual({ status: 'ignored', note: 'a thin event (v2)' });
  });

  async function expectNoRetries(paymentId: string): Promise<void> {
    const retried = await shop
      .db('outbox')
      .where('attempts', '>', 0)
      .whereRaw(`payload->>'eventId' in (select id::text from payment_events where payload::text like ?)`, [
        `%${paymentId}%`,
      ]);
    expect(retried).toEqual([]);
  }
});

function confirm({ orderId, paymentIntentId }: PlacedOrder) {
  return post(shop, '/api/confirm-payment', { orderId, paymentIntentId });
}
