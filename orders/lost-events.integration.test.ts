import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paymentMethods } from '../core/orders.ts';
import { readers as paypalReaders } from '../providers/paypal/events.ts';
import { readers as stripeReaders } from '../providers/stripe/events.ts';
import { makeBackfillsDue } from '../testing/backfills.ts';
import { type PlacedOrder, pay, placeOrder, readOrder } from '../testing/buyer.ts';
import { emailsOf, untilApplied } from '../testing/inbox.ts';
import { approve, capture, captureOf, paypalControl, placePaypalOrder } from '../testing/paypal.ts';
import { type Shop, startShop } from '../testing/shop.ts';
import { stripeControl } from '../testing/stripe.ts';
import { waitFor } from '../testing/wait-for.ts';
import { BACKFILL_EVERY_MS, backfillSchedule } from './backfill-events.ts';

// No webhook is ever delivered. Each event type is part of a story, and all stories run before the events are fetched.

let shop: Shop;
const orders: Record<string, string> = {};

beforeAll(async () => {
  shop = await startShop();
  shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
  for (const [story, tell] of Object.entries(stories)) orders[story] = await tell();
  shop.sandbox.behaviors.clear();
  shop.startWorker();
  await backfill();
});
afterAll(() => shop.close());

test('events are fetched from each provider every hour', async () => {
  expect(BACKFILL_EVERY_MS).toBe(3_600_000);
  const rows = await shop.db('schedules').whereLike('name', 'backfill-events:%').select('name', 'next_at');
  expect(rows.map(({ name }) => name).sort()).toEqual(paymentMethods.map(backfillSchedule).sort());
  for (const { next_at: at } of rows) expect(at.getTime() - Date.now()).toBeLessThan(BACKFILL_EVERY_MS);
});

describe('an event whose webhook is lost is fetched and applied', () => {
  test.each([...Object.keys(stripeReaders), ...Object.keys(paypalReaders)])('%s', async (type) => {
    const rows = await shop.db('payment_events').where({ type }).select('source', 'status');
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row).toEqual({ source: 'backfill', status: 'processed' });
  });
});

test.each<[keyof typeof stories, string, number]>([
  ['a card payment', 'paid', 0],
  ['a declined card', 'failed', 0],
  ['a bank debit', 'processing', 0],
  ['micro-deposits', 'processing', 0],
  ['a payment canceled at Stripe', 'canceled', 0],
  ['a refund at Stripe', 'refunded', 299_900],
  ['a refund at Stripe that fails', 'paid', 0],
  ['a dispute at Stripe that is open', 'disputed', 0],
  ['a dispute at Stripe that is won', 'paid', 0],
  ['warnings and payouts', 'paid', 0],
  ['a PayPal window closed after the approval', 'paid', 0],
  ['an approval that PayPal takes back', 'pending', 0],
  ['a PayPal payment under review', 'processing', 0],
  ['a PayPal payment that is denied', 'failed', 0],
  ['a PayPal payment that is declined', 'failed', 0],
  ['a refund at PayPal', 'partially_refunded', 100_000],
  ['a reversal', 'refunded', 299_900],
  ['a refund at PayPal that fails', 'paid', 0],
  ['a dispute at PayPal', 'disputed', 0],
  ['a dispute at PayPal that is lost', 'refunded', 299_900],
])('%s ends right', async (story, status, amountRefunded) => {
  expect(await readOrder(shop, orders[story] ?? '')).toMatchObject({ status, amountRefunded });
});

test('staff are notified of failed refunds, disputes, warnings and failed payouts', async () => {
  const mails = (story: keyof typeof stories, kind: Parameters<typeof emailsOf>[2]) =>
    emailsOf(shop, orders[story] ?? '', kind);
  expect(await mails('a refund at Stripe that fails', 'refund_failed_alert')).toHaveLength(1);
  expect(await mails('a refund at PayPal that fails', 'refund_failed_alert')).toHaveLength(1);
  expect(await mails('a dispute at Stripe that is won', 'dispute_notice')).toHaveLength(2);
  expect(await mails('a dispute at PayPal that is lost', 'dispute_notice')).toHaveLength(2);
  expect(await mails('warnings and payouts', 'fraud_warning_alert')).toHaveLength(2);
  expect(await shop.db('emails').where({ kind: 'payout_failed_alert' })).toHaveLength(1);
});

/** What happens to an order at its provider. Each returns the order's id. */
const stories = {
  'a card payment': async () => (await paidByCard()).orderId,
  'a declined card': async () => attempted('pm_card_chargeDeclined'),
  'a bank debit': async () => attempted('pm_usBankAccount'),
  'micro-deposits': async () => {
    shop.sandbox.behaviors.add({ name: 'stripe-microdeposits', count: 1 });
    return attempted('pm_usBankAccount');
  },
  'a payment canceled at Stripe': async () => {
    const order = await placeOrder(shop);
    await shop.sandbox.stripeClient.paymentIntents.cancel(order.paymentIntentId);
    return order.orderId;
  },
  'a refund at Stripe': async () => {
    const { orderId, charge } = await paidByCard();
    await shop.sandbox.stripeClient.refunds.create({ charge });
    return orderId;
  },
  'a refund at Stripe that fails': async () => {
    const { orderId, charge } = await paidByCard();
    const refund = await shop.sandbox.stripeClient.refunds.create({ charge });
    await stripeControl(shop, `/refunds/${refund.id}/fail`);
    return orderId;
  },
  'a dispute at Stripe that is open': async () => {
    const { orderId, charge } = await paidByCard();
    const dispute = await stripeControl<{ id: string }>(shop, `/charges/${charge}/dispute`);
    shop.sandbox.stripe.events.emit('charge.dispute.updated', dispute);
    return orderId;
  },
  'a dispute at Stripe that is won': async () => {
    const { orderId, charge } = await paidByCard();
    const dispute = await stripeControl<{ id: string }>(shop, `/charges/${charge}/dispute`);
    await stripeControl(shop, `/disputes/${dispute.id}/close`, { outcome: 'won' });
    return orderId;
  },
  'warnings and payouts': async () => {
    const { orderId, charge } = await paidByCard();
    await stripeControl(shop, `/charges/${charge}/early_fraud_warning`);
    await stripeControl(shop, `/charges/${charge}/review`);
    for (const status of ['paid', 'failed']) await stripeControl(shop, '/payouts', { status });
    return orderId;
  },
  'a PayPal window closed after the approval': async () => {
    const purchase = await placePaypalOrder(shop);
    await approve(shop, purchase);
    return purchase.orderId;
  },
  'an approval that PayPal takes back': async () => {
    const { orderId, paypalOrderId } = await placePaypalOrder(shop);
    emitPaypal('CHECKOUT.PAYMENT-APPROVAL.REVERSED', 'payment-approval', { order_id: paypalOrderId });
    return orderId;
  },
  'a PayPal payment under review': async () => (await captured('pending')).orderId,
  'a PayPal payment that is denied': async () => {
    const { orderId, captureId } = await captured('pending');
    await paypalControl(shop, `/captures/${captureId}/deny`);
    return orderId;
  },
  'a PayPal payment that is declined': async () => {
    const { orderId, captureId } = await captured('pending');
    shop.sandbox.behaviors.add({ name: 'paypal-declined-event', match: captureId, count: 1 });
    await paypalControl(shop, `/captures/${captureId}/deny`);
    return orderId;
  },
  'a refund at PayPal': async () => {
    const { orderId, captureId } = await captured();
    const amount = { currency_code: 'USD', value: '1000.00' };
    await paypalControl(shop, `/captures/${captureId}/refund`, { amount });
    return orderId;
  },
  'a reversal': async () => {
    const { orderId, captureId } = await captured();
    await paypalControl(shop, `/captures/${captureId}/reverse`);
    return orderId;
  },
  'a refund at PayPal that fails': async () => {
    const { orderId, captureId } = await captured();
    shop.sandbox.behaviors.add({ name: 'paypal-pending-refund', match: captureId, count: 1 });
    const refund = await paypalControl<{ id: string }>(shop, `/captures/${captureId}/refund`);
    await paypalControl(shop, `/refunds/${refund.id}/settle`, { outcome: 'failed' });
    return orderId;
  },
  'a dispute at PayPal': async () => {
    const { orderId, captureId } = await captured();
    const dispute = await paypalControl<{ dispute_id: string }>(shop, `/captures/${captureId}/dispute`);
    emitPaypal('CUSTOMER.DISPUTE.UPDATED', 'dispute', dispute);
    return orderId;
  },
  'a dispute at PayPal that is lost': async () => {
    const { orderId, captureId } = await captured();
    const dispute = await paypalControl<{ dispute_id: string }>(shop, `/captures/${captureId}/dispute`);
    await paypalControl(shop, `/disputes/${dispute.dispute_id}/resolve`, { outcome: 'lost' });
    return orderId;
  },
};

async function paidByCard(): Promise<PlacedOrder & { charge: string }> {
  const order = await placeOrder(shop);
  const { latest_charge: charge = '' } = await pay(shop, order);
  return { ...order, charge };
}

async function attempted(card: string): Promise<string> {
  const order = await placeOrder(shop);
  await pay(shop, order, card);
  return order.orderId;
}

async function captured(outcome = 'completed') {
  const purchase = await placePaypalOrder(shop);
  await approve(shop, purchase, outcome);
  await capture(shop, purchase);
  return { ...purchase, captureId: captureOf(shop, purchase) };
}

function emitPaypal(type: string, resourceType: string, resource: object): void {
  shop.sandbox.paypal.context.events.emit(type, resourceType, 'by the test', resource);
}

/** Makes the hourly fetch due, and waits until everything that it brought is applied. */
async function backfill(): Promise<void> {
  const jobs = () => shop.db('outbox').where({ job: 'backfill-events', status: 'done' });
  await makeBackfillsDue(shop.db);
  await waitFor('the events are fetched', async () => (await jobs()).length === 2, { timeoutMs: 60_000 });
  await waitFor(
    'the inbox is applied',
    async () => (await shop.db('payment_events').where({ status: 'received' })).length === 0,
    { timeoutMs: 60_000 },
  );
  await untilApplied(shop);
}
