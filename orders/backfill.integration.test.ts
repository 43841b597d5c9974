import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase } from '../db/database.ts';
import { makeBackfillsDue } from '../testing/backfills.ts';
import { pay, placeOrder, readOrder, untilStatus } from '../testing/buyer.ts';
import { approve, captureOf, paypalControl, placePaypalOrder } from '../testing/paypal.ts';
import { type Shop, startShop } from '../testing/shop.ts';
import { stripeControl } from '../testing/stripe.ts';
import { waitFor } from '../testing/wait-for.ts';
import { fetchEvents } from './backfill-events.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await startShop();
  shop.startWorker();
  // No webhook is ever delivered.
  shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop', count: 100_000 });
});
afterAll(() => shop.close());

test('payments, declines, refunds and disputes whose webhooks are lost are fetched from the providers’ lists', async () => {
  const paid = await placeOrder(shop);
  await pay(shop, paid);
  const declined = await placeOrder(shop);
  await pay(shop, declined, 'pm_card_chargeDeclined');
  const byPaypal = await placePaypalOrder(shop);
  await approve(shop, byPaypal);

  await backfill();
  await untilStatus(shop, paid.orderId, 'paid');
  await untilStatus(shop, declined.orderId, 'failed');
  await untilStatus(shop, byPaypal.orderId, 'paid');

  const refund = await shop.sandbox.stripeClient.refunds.create({ payment_intent: paid.paymentIntentId });
  await paypalControl(shop, `/captures/${captureOf(shop, byPaypal)}/refund`);
  await backfill();
  await untilStatus(shop, paid.orderId, 'refunded');
  await untilStatus(shop, byPaypal.orderId, 'refunded');

  await stripeControl(shop, `/refunds/${refund.id}/fail`);
  await backfill();
  await untilStatus(shop, paid.orderId, 'paid');
  expect((await readOrder(shop, paid.orderId)).amountRefunded).toBe(0);

  const { latest_charge: charge } = await shop.sandbox.stripeClient.paymentIntents.retrieve(
    paid.paymentIntentId,
  );
  const dispute = await stripeControl<{ id: string }>(shop, `/charges/${String(charge)}/dispute`);
  await backfill();
  await untilStatus(shop, paid.orderId, 'disputed');
  await stripeControl(shop, `/disputes/${dispute.id}/close`, { outcome: 'lost' });
  await backfill();
  await untilStatus(shop, paid.orderId, 'refunded');
  expect(await shop.db('payment_events').where({ source: 'webhook' })).toEqual([]);
}, 120_000);

test('hundreds of events, known or new, are stored by a few statements', async () => {
  let statements = 0;
  // The worker, too, uses the shop's connections.
  const db = createDatabase(shop.config.databaseUrl, { poolMax: 2 });
  db.on('query', () => statements++);
  const events = Array.from({ length: 400 }, (_, number) => ({
    eventId: `evt_many_${number}`,
    type: 'charge.captured',
    payload: JSON.stringify({ id: `evt_many_${number}`, type: 'charge.captured' }),
  }));
  const { stripe, paypal } = shop.workerParts.gateways;
  const eventsSince = async function* () {
    yield* events;
  };
  const parts = { db, gateways: { paypal, stripe: { ...stripe, eventsSince } } };
  const fetchAgain = () => fetchEvents(parts, 'stripe', new Date(), 'a request', () => {});
  expect(await fetchAgain()).toEqual({ provider: 'stripe', seen: 400, added: 400 });
  expect(await fetchAgain()).toEqual({ provider: 'stripe', seen: 400, added: 0 });
  await db.destroy();
  expect(statements).toBeLessThan(40);
});

test('an endless list ends at its first repetition; the next fetch resumes there', async () => {
  const order = await placeOrder(shop);
  await pay(shop, order);
  const byPaypal = await placePaypalOrder(shop);
  await approve(shop, byPaypal);
  const before = await fetchedUntil();
  shop.sandbox.behaviours.add({ name: 'stripe-endless-events' });
  shop.sandbox.behaviours.add({ name: 'paypal-endless-events' });

  await backfill();
  await untilStatus(shop, order.orderId, 'paid');
  await untilStatus(shop, byPaypal.orderId, 'paid');
  const stopped = await fetchedUntil();
  for (const provider of ['stripe', 'paypal']) {
    expect(stopped[provider]?.getTime(), provider).toBeLessThan(before[provider]?.getTime() ?? 0);
  }

  shop.sandbox.behaviours.clear();
  await backfill();
  const ended = await fetchedUntil();
  for (const provider of ['stripe', 'paypal']) {
    expect(ended[provider]?.getTime(), provider).toBeGreaterThan(before[provider]?.getTime() ?? Infinity);
  }
});

async function fetchedUntil(): Promise<Record<string, Date>> {
  const rows = await shop.db('backfills').select('provider', 'fetched_until');
  return Object.fromEntries(rows.map(({ provider, fetched_until: until }) => [provider, until]));
}

/** Makes the hourly fetch due, and waits until a worker has done it. */
async function backfill(): Promise<void> {
  const due = () => shop.db('outbox').where({ job: 'backfill-events' });
  const before = (await due()).length;
  await makeBackfillsDue(shop.db);
  await waitFor('the events are fetched', async () => {
    const jobs = await due();
    return jobs.length === before + 2 && jobs.every(({ status }) => status === 'done');
  });
}
