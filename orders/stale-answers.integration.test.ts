import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { readOrder, untilStatus } from '../testing/buyer.ts';
import { holdCall } from '../testing/held-call.ts';
import { checkNow, emailsOf, jobsOf, untilApplied, untilHandled } from '../testing/inbox.ts';
import { buyWithPaypal, deliverPaypal, paypalControl, paypalEvent } from '../testing/paypal.ts';
import { withShop } from '../testing/shop.ts';
import { buyByCard, stripeControl } from '../testing/stripe.ts';
import { deliver, event } from '../testing/stripe-events.ts';
import { waitFor } from '../testing/wait-for.ts';

const shop = await withShop({ worker: true });

test('a refund that fails while a check asks about it stays failed: the older answer comes later', async () => {
  const { orderId, paymentIntentId, refundId } = await refundedOrder();
  const match = `/payment_intents/${paymentIntentId}`;
  const question = holdCall(shop, 'stripe', { when: 'after', match });
  await checkNow(shop, orderId);
  await question.received();

  await stripeControl(shop, `/refunds/${refundId}/fail`);
  await untilStatus(shop, orderId, 'paid');
  const checks = async () => (await jobsOf(shop, orderId, 'reconcile-order')).map(({ status }) => status);
  expect(await checks()).toEqual(['open']);
  question.release();
  await waitFor('the check has its answer', async () => (await checks())[0] === 'done');
  await untilApplied(shop);

  expect(await readOrder(shop, orderId)).toMatchObject({ status: 'paid', amountRefunded: 0 });
  expect(await emailsOf(shop, orderId, 'refund_failed_alert')).toMatchObject([{ refundId }]);
});

test('a failed refund that Stripe still shows as succeeded is looked up again', async () => {
  const { orderId, paymentIntentId, refundId } = await refundedOrder();
  shop.sandbox.behaviors.add({ name: 'stripe-late-refund', match: paymentIntentId, count: 3 });

  await stripeControl(shop, `/refunds/${refundId}/fail`);

  expect((await untilStatus(shop, orderId, 'paid')).amountRefunded).toBe(0);
  await waitFor('staff get the mail', async () => {
    return (await emailsOf(shop, orderId, 'refund_failed_alert')).length === 1;
  });
  await untilStaleAnswersAreUsedUp();
});

describe('a refund is looked up again', () => {
  test('that Stripe does not list yet', async () => {
    const { orderId, paymentIntentId, charge } = await buyByCard(shop);
    await untilApplied(shop);
    shop.sandbox.behaviors.add({ name: 'stripe-late-refund', match: paymentIntentId, count: 3 });

    await shop.sandbox.stripeClient.refunds.create({ charge });

    await untilStatus(shop, orderId, 'refunded');
    await untilStaleAnswersAreUsedUp();
  });

  test('that Stripe does not list yet, and whose event names the sum only, as before 2024-10-28', async () => {
    const { orderId, paymentIntentId, charge } = await buyByCard(shop);
    await untilApplied(shop);
    shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop', match: 'refund.created' });
    shop.sandbox.behaviors.add({ name: 'stripe-late-refund', match: paymentIntentId, count: 2 });

    await shop.sandbox.stripeClient.refunds.create({ charge });

    await untilStatus(shop, orderId, 'refunded');
    await untilStaleAnswersAreUsedUp();
    shop.sandbox.faults.clear();
  });

  test('that has succeeded, and that Stripe still lists as pending', async () => {
    const { orderId, paymentIntentId, charge } = await buyByCard(shop);
    shop.sandbox.behaviors.add({ name: 'stripe-pending-refund', match: charge, count: 1 });
    const refund = await shop.sandbox.stripeClient.refunds.create({ charge });
    await untilKnown(orderId, refund.id);
    shop.sandbox.behaviors.add({ name: 'stripe-late-refund', match: paymentIntentId, count: 3 });

    await stripeControl(shop, `/refunds/${refund.id}/settle`, { outcome: 'succeeded' });

    await untilStatus(shop, orderId, 'refunded');
    await untilStaleAnswersAreUsedUp();
  });

  test('that has succeeded, and that PayPal still shows as pending', async () => {
    const { orderId, paypalOrderId, captureId } = await buyWithPaypal(shop);
    shop.sandbox.behaviors.add({ name: 'paypal-pending-refund', match: captureId, count: 1 });
    const { id } = await paypalControl<{ id: string }>(shop, `/captures/${captureId}/refund`);
    await untilKnown(orderId, id);
    shop.sandbox.behaviors.add({ name: 'paypal-late-refund', match: paypalOrderId, count: 2 });

    await paypalControl(shop, `/refunds/${id}/settle`, { outcome: 'completed' });

    await untilStatus(shop, orderId, 'refunded');
    await untilStaleAnswersAreUsedUp();
  });
});

test('a dispute that the charge does not show yet is found', async () => {
  const { orderId, paymentIntentId, charge } = await buyByCard(shop);
  await untilApplied(shop);
  shop.sandbox.behaviors.add({ name: 'stripe-late-dispute', match: paymentIntentId });
  await stripeControl(shop, `/charges/${charge}/dispute`);
  await untilStatus(shop, orderId, 'disputed');
  expect(shop.sandbox.behaviors.list()[0]?.matched).toBeGreaterThan(0);
});

test.each([
  ['won', 2],
  ['lost', 1],
])(
  'a dispute that is %s, and that Stripe still lists as open, is looked up again',
  async (outcome, count) => {
    const { orderId, paymentIntentId, charge } = await buyByCard(shop);
    const { id } = await stripeControl<{ id: string }>(shop, `/charges/${charge}/dispute`);
    await untilStatus(shop, orderId, 'disputed');
    shop.sandbox.behaviors.add({ name: 'stripe-late-outcome', match: paymentIntentId, count });

    await stripeControl(shop, `/disputes/${id}/close`, { outcome });

    await untilStatus(shop, orderId, outcome === 'won' ? 'paid' : 'refunded');
    await waitFor('the buyer gets the mail', async () => {
      return (await emailsOf(shop, orderId, 'dispute_closed')).length === 1;
    });
    await untilStaleAnswersAreUsedUp();
  },
);

test.each([
  ['won', 'paid'],
  ['lost', 'refunded'],
] as const)(
  'a dispute that is %s, and that PayPal still shows as open, is looked up again',
  async (outcome, then) => {
    const { orderId, captureId } = await buyWithPaypal(shop);
    const path = `/captures/${captureId}/dispute`;
    const { dispute_id: id } = await paypalControl<{ dispute_id: string }>(shop, path);
    await untilStatus(shop, orderId, 'disputed');
    shop.sandbox.behaviors.add({ name: 'paypal-late-outcome', match: captureId, count: 2 });

    await paypalControl(shop, `/disputes/${id}/resolve`, { outcome });

    await untilStatus(shop, orderId, then);
    await waitFor('the buyer gets the mail', async () => {
      return (await emailsOf(shop, orderId, 'dispute_closed')).length === 1;
    });
    await untilStaleAnswersAreUsedUp();
  },
);

test('a dispute that is won on appeal, and that PayPal still shows as lost, is looked up again', async () => {
  const { orderId, captureId } = await buyWithPaypal(shop);
  const path = `/captures/${captureId}/dispute`;
  const { dispute_id: id } = await paypalControl<{ dispute_id: string }>(shop, path);
  await untilStatus(shop, orderId, 'disputed');
  // PayPal's times are in seconds.
  await sleep(1_000);
  await paypalControl(shop, `/disputes/${id}/resolve`, { outcome: 'lost' });
  await untilStatus(shop, orderId, 'refunded');
  await untilApplied(shop);
  shop.sandbox.behaviors.add({ name: 'paypal-late-appeal', match: captureId, count: 2 });

  await paypalControl(shop, `/disputes/${id}/resolve`, { outcome: 'won' });

  expect((await untilStatus(shop, orderId, 'paid')).amountRefunded).toBe(0);
  await untilStaleAnswersAreUsedUp();
});

describe('an event whose object the provider does not know', () => {
  test('a refund of a capture that PayPal does not show yet is found', async () => {
    const { orderId, captureId } = await buyWithPaypal(shop);
    await untilApplied(shop);
    shop.sandbox.behaviors.add({ name: 'paypal-late-capture', match: captureId, count: 2 });
    await paypalControl(shop, `/captures/${captureId}/refund`);
    await untilStatus(shop, orderId, 'refunded');
    await untilStaleAnswersAreUsedUp();
  });

  test.each(['charge.refunded', 'charge.dispute.created', 'payment_intent.payment_failed'])(
    'is ignored after minutes if it names no order of ours: %s',
    async (type) => {
      const foreign = event(type, { id: 'pi_elsewhere', payment_intent: 'pi_elsewhere' });
      await deliver(shop, foreign);
      await untilRetried(foreign.id);
      await receivedAgo(foreign.id, '5 minutes');
      expect(await untilHandled(shop, foreign.id)).toMatchObject({
        status: 'ignored',
        note: 'object not found at the provider',
      });
    },
  );

  test('is applied after hours if it names an order of ours, once the credentials are right again', async () => {
    const byCard = await buyByCard(shop);
    const byPaypal = await buyWithPaypal(shop);
    await untilApplied(shop);
    const elsewhere = { mode: 'error', code: 404 } as const;
    const faults = [
      shop.sandbox.faults.add({ target: 'stripe', match: '/payment_intents/', ...elsewhere }),
      shop.sandbox.faults.add({ target: 'paypal', match: 'captures/', ...elsewhere }),
    ];
    const links = [
      { rel: 'up', href: `https://api-m.paypal.com/v2/payments/captures/${byPaypal.captureId}` },
    ];
    const amount = { currency_code: 'USD', value: '2999.00' };
    const invoice_id = `querywright-${shop.config.deployment}-${byPaypal.orderId}`;
    const refund = { id: 'REFUND', status: 'COMPLETED', amount, links, invoice_id };
    const events = [
      event('charge.refunded', { id: byCard.charge, payment_intent: byCard.paymentIntentId }),
      paypalEvent('PAYMENT.CAPTURE.REFUNDED', refund),
    ] as const;
    await deliver(shop, events[0]);
    await deliverPaypal(shop, events[1]);

    await Promise.all(
      events.map(async ({ id }) => {
        await untilRetried(id);
        await receivedAgo(id, '5 hours');
        await untilRetried(id);
      }),
    );
    for (const { id } of faults) shop.sandbox.faults.remove(id);
    for (const { id } of events) {
      expect(await untilHandled(shop, id)).toMatchObject({ status: 'processed' });
    }
  });

  /** The job of the event fails once more. */
  async function untilRetried(eventId: string): Promise<void> {
    const before = await attemptsOf(eventId);
    await waitFor('another attempt', async () => (await attemptsOf(eventId)) > before);
  }

  async function attemptsOf(eventId: string): Promise<number> {
    const job = await shop
      .db('outbox')
      .whereRaw(`payload->>'eventId' = (select id::text from payment_events where event_id = ?)`, [eventId])
      .first('attempts');
    return job?.attempts ?? 0;
  }

  async function receivedAgo(eventId: string, interval: string): Promise<void> {
    const received_at = shop.db.raw(`now() - ?::interval`, [interval]);
    await shop.db('payment_events').where({ event_id: eventId }).update({ received_at });
  }
});

async function untilKnown(orderId: string, refundId: string): Promise<void> {
  await waitFor('the refund is known', async () => {
    const { payment_facts: facts } = await shop.db('orders').where({ id: orderId }).first();
    return refundId in facts.refunds;
  });
  await untilApplied(shop);
}

/** A check of the order may find the change before the event's next attempt does. */
async function untilStaleAnswersAreUsedUp(): Promise<void> {
  await waitFor('the stale answers are used up', () => shop.sandbox.behaviors.list().length === 0);
}

async function refundedOrder() {
  const { charge, ...order } = await buyByCard(shop);
  const { id: refundId } = await shop.sandbox.stripeClient.refunds.create({ charge });
  await untilStatus(shop, order.orderId, 'refunded');
  await untilApplied(shop);
  return { ...order, refundId };
}
