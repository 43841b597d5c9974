import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { receiveEvent } from '../db/receive-event.ts';
import type { QueueEntry } from '../db/unit-of-work.ts';
import { afterUrgentWork } from '../infra/urgent-work.ts';
import { placeOrder, untilStatus } from '../testing/buyer.ts';
import { collectJobs } from '../testing/collected-jobs.ts';
import { withShop } from '../testing/shop.ts';
import { event, succeededEvent } from '../testing/stripe-events.ts';
import { waitFor } from '../testing/wait-for.ts';

const shop = await withShop();

test('events stored together are one job, which the queue holds once', async () => {
  await waitFor('the queue is connected', () => shop.outbox.ping().then(() => true));
  const before = await waiting();
  await receiveTogether(Array.from({ length: 8 }, () => event('payment_intent.created', {})));
  await waitFor('the job is in the queue', async () => (await waiting()) === before + 1);

  await shop
    .db('outbox')
    .where({ status: 'open' })
    .update({ due_at: new Date(0) });
  expect((await shop.outbox.relay()).relayed).toBeGreaterThanOrEqual(8);
  expect(await waiting()).toBe(before + 1);
});

test('one that its provider does not answer, and one that fails, delay none of their bundle', async () => {
  const orders = [await placeOrder(shop), await placeOrder(shop)];
  const hanging = event('payment_intent.canceled', { id: `pi_${randomUUID()}` });
  const broken = event('payment_intent.succeeded', { id: 7 });
  shop.sandbox.faults.add({ target: 'stripe', mode: 'slow', ms: 10_000 });
  await receiveTogether([hanging, broken, ...orders.map((order) => succeededEvent(order))]);
  const { bundle } = await rowOf(hanging);
  expect(bundle).toEqual(expect.any(String));

  shop.startWorker();
  for (const { orderId } of orders) await untilStatus(shop, orderId, 'paid', 5_000);
  await waitFor('the failure is recorded', async () => (await rowOf(broken)).last_error !== null);
  expect(await rowOf(hanging), 'the provider is still being asked').toMatchObject({
    status: 'open',
    last_error: null,
    bundle,
  });
  const asked = performance.now();
  await afterUrgentWork(async () => {});
  expect(performance.now() - asked, 'e-mails make way meanwhile').toBeGreaterThan(15);
  expect((await rowOf(broken)).bundle, 'a retry is delivered alone').toBeNull();
});

test('an event that is repeated before its bundle is enqueued does not hold up the others', async () => {
  const orders = await Promise.all([1, 2, 3].map(() => placeOrder(shop)));
  const events = orders.map((order) => succeededEvent(order));
  const entries = await storeTogether(events);
  const [repeated] = await storeTogether(events.slice(1, 2));
  shop.outbox.enqueue(repeated ? [repeated] : []);
  shop.outbox.enqueue(entries);
  for (const { orderId } of orders) await untilStatus(shop, orderId, 'paid', 5_000);
});

async function rowOf({ id }: { id: string }) {
  const [row] = await shop
    .db('outbox')
    .select('outbox.*')
    .joinRaw(`join payment_events on outbox.payload->>'eventId' = payment_events.id::text and event_id = ?`, [
      id,
    ]);
  return row;
}

type StripeEvent = { id: string; type: string };

async function receiveTogether(events: StripeEvent[]): Promise<void> {
  shop.outbox.enqueue(await storeTogether(events));
}

/** Stores the events in one statement. */
async function storeTogether(events: StripeEvent[]): Promise<QueueEntry[]> {
  const inbox = collectJobs(shop.db);
  await Promise.all(
    events.map((event) =>
      receiveEvent(inbox, {
        provider: 'stripe',
        source: 'webhook',
        eventId: event.id,
        type: event.type,
        payload: JSON.stringify(event),
        requestId: randomUUID(),
      }),
    ),
  );
  return inbox.jobs;
}

async function waiting(): Promise<number> {
  return (await shop.outbox.queue('payments').getJobCounts('waiting')).waiting ?? 0;
}
