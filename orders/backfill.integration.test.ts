import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, databaseTime } from '../db/database.ts';
import type { QueueEntry } from '../db/unit-of-work.ts';
import { ProviderError } from '../providers/provider-error.ts';
import { makeBackfillsDue } from '../testing/backfills.ts';
import { pay, placeOrder, readOrder, untilStatus } from '../testing/buyer.ts';
import { approve, captureOf, paypalControl, placePaypalOrder } from '../testing/paypal.ts';
import { type Shop, startShop } from '../testing/shop.ts';
import { stripeControl } from '../testing/stripe.ts';
import { waitFor } from '../testing/wait-for.ts';
import { backfillEvents, fetchEvents } from './backfill-events.ts';
import type { JobRun } from './parts.ts';

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
});

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
  const fetch = { provider: 'stripe', since: new Date(), requestId: 'a request', onEntry: () => {} } as const;
  const fetchAgain = () => fetchEvents(parts, fetch);
  expect(await fetchAgain()).toEqual({ provider: 'stripe', seen: 400, added: 400 });
  expect(await fetchAgain()).toEqual({ provider: 'stripe', seen: 400, added: 0 });
  expect(statements).toBeLessThan(40);

  const eventIds = events.map(({ eventId }) => eventId);
  await db('payment_events').whereIn('event_id', eventIds).update({ status: 'ignored' });
  const toRun: QueueEntry[] = [];
  await fetchEvents(parts, { ...fetch, onEntry: (entry) => toRun.push(entry) });
  expect(toRun, 'handled events need no job').toEqual([]);
  await db.destroy();
});

test('an endless list ends at its first repetition; the next fetch resumes there', async () => {
  const order = await placeOrder(shop);
  await pay(shop, order);
  const byPaypal = await placePaypalOrder(shop);
  await approve(shop, byPaypal);
  const before = await fetchedUntil();
  shop.sandbox.behaviors.add({ name: 'stripe-endless-events' });
  shop.sandbox.behaviors.add({ name: 'paypal-endless-events' });

  await backfill();
  await untilStatus(shop, order.orderId, 'paid');
  await untilStatus(shop, byPaypal.orderId, 'paid');
  const stopped = await fetchedUntil();
  for (const provider of ['stripe', 'paypal']) {
    expect(stopped[provider]?.getTime(), provider).toBeLessThan(before[provider]?.getTime() ?? 0);
  }

  shop.sandbox.behaviors.clear();
  await backfill();
  const ended = await fetchedUntil();
  for (const provider of ['stripe', 'paypal']) {
    expect(ended[provider]?.getTime(), provider).toBeGreaterThan(before[provider]?.getTime() ?? Infinity);
  }
});

describe('after a pause', () => {
  const HOUR_MS = 3_600_000;

  test.each([
    ['of an hour', '1 hour', 3],
    ['of nine days', '9 days', 9 * 24],
    ['of forty days', '40 days', 30 * 24 - 1],
    ['without an earlier fetch', null, 3 * 24],
  ])(
    '%s, the events are fetched as far back as their delivery may have ended',
    async (_what, pause, hours) => {
      await lastFetched(pause);
      const starts = await fetchFromStripe();
      const now = await databaseTime(shop.db);
      expect(now - (starts[0] ?? 0)).toBeGreaterThanOrEqual(hours * HOUR_MS);
      expect(now - (starts[0] ?? 0)).toBeLessThan(hours * HOUR_MS + 30_000);
      expect(now - ((await fetchedUntil()).stripe?.getTime() ?? 0)).toBeLessThan(30_000);
    },
  );

  test('a fetch that fails is resumed where it failed', async () => {
    await lastFetched('9 days');
    const starts = await fetchFromStripe({ failAt: 100 });
    expect(starts).toHaveLength(100);
    expect((await fetchFromStripe())[0]).toBe(starts.at(-1));
  });

  /** Runs the job once. Returns the starts of the parts that Stripe was asked for; it may fail at one of them. */
  async function fetchFromStripe({ failAt = 0 } = {}): Promise<number[]> {
    const starts: number[] = [];
    const eventsSince = async function* (since: Date) {
      const unavailable = { statusCode: 503, cause: undefined };
      if (starts.push(since.getTime()) === failAt)
        throw new ProviderError('stripe', 'Stripe: unavailable', unavailable);
      yield* [];
    };
    const { stripe, paypal } = shop.workerParts.gateways;
    const parts = { ...shop.workerParts, gateways: { paypal, stripe: { ...stripe, eventsSince } } };
    const fetching = backfillEvents(parts, { provider: 'stripe' }, jobRun());
    if (failAt) await expect(fetching).rejects.toThrow('unavailable');
    else await fetching;
    return starts;
  }

  function jobRun(): JobRun {
    const complete: JobRun['complete'] = (effect) => shop.db.transaction(async (trx) => effect?.(trx));
    const { logger } = shop.workerParts;
    return { row: '0', requestId: null, failingForMs: 0, logger, postpone: async () => {}, complete };
  }

  async function lastFetched(pause: string | null): Promise<void> {
    const fetched_until = pause && shop.db.raw('now() - ?::interval', [pause]);
    await shop.db('backfills').insert({ provider: 'stripe', fetched_until }).onConflict('provider').merge();
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
