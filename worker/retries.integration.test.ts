import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { placeOrder } from '../testing/buyer.ts';
import { type Shop, startShop } from '../testing/shop.ts';
import { deliver, succeededEvent, type TestEvent } from '../testing/stripe-events.ts';
import { waitFor } from '../testing/wait-for.ts';
import { runJob } from './run-job.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await startShop();
});
beforeEach(() => shop.db('outbox').delete());
afterAll(() => shop.close());

test('a job written a day ago survives its first transient failure', async () => {
  const row = await insertJob({ created_at: hoursAgo(25) });
  shop.sandbox.faults.add({ target: 'stripe', mode: 'error' });
  await runJob(shop.workerParts, row);
  shop.sandbox.faults.clear();
  expect(await find(row)).toMatchObject({ status: 'open', attempts: 1 });

  const worker = shop.startWorker();
  await waitFor('the job is done', async () => (await find(row)).status === 'done');
  await worker.close();
});

test('a settlement waits for its job while the relay holds it, and counts no failure', async () => {
  const order = await placeOrder(shop);
  const id = await deliverJob(succeededEvent(order));
  const relay = await shop.db.transaction();
  await relay('outbox').where({ id }).forUpdate();
  const run = runJob(shop.workerParts, id);
  await waitFor('the settlement waits', async () => {
    const { rows } = await shop.db.raw(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  });
  await relay.commit();
  await run;
  expect(await find(id)).toMatchObject({ status: 'done', attempts: 0 });
});

test('the time limit counts from the first failure, and spares a job with few attempts', async () => {
  const [few, many] = [
    await insertJob({ first_failed_at: hoursAgo(30), attempts: 3 }),
    await insertJob({ first_failed_at: hoursAgo(30), attempts: 40 }),
  ];
  shop.sandbox.faults.add({ target: 'stripe', mode: 'error' });
  for (const row of [few, many]) await runJob(shop.workerParts, row);
  shop.sandbox.faults.clear();
  expect((await find(few)).status).toBe('open');
  expect((await find(many)).status).toBe('dead');
});

test('an event whose job is dead-lettered is dead too, with the reason', async () => {
  const event = succeededEvent({ paymentIntentId: 'pi_unknown', orderId: randomUUID(), clientSecret: '' });
  const id = await deliverJob(event);
  const stored = () => shop.db('payment_events').where({ event_id: event.id }).first('status', 'note');
  await shop
    .db('outbox')
    .where({ id })
    .update({ first_failed_at: hoursAgo(30), attempts: 40 });
  await runJob(shop.workerParts, id);
  expect((await find(id)).status).toBe('dead');
  expect(await stored()).toMatchObject({ status: 'dead', note: expect.stringContaining('pi_unknown') });
});

/** A due job that asks Stripe about an order. */
async function insertJob(columns: object): Promise<string> {
  const { orderId } = await placeOrder(shop);
  const [row] = await shop
    .db('outbox')
    .insert({
      job: 'reconcile-order',
      queue: 'payments',
      payload: { orderId },
      due_at: new Date(0),
      ...columns,
    })
    .returning('id');
  return row.id;
}

/** Returns the event's job. */
async function deliverJob(event: TestEvent): Promise<string> {
  await deliver(shop, event);
  const [id] = await shop
    .db('outbox')
    .whereRaw(`payload->>'eventId' = (select id::text from payment_events where event_id = ?)`, [event.id])
    .pluck('id');
  return id;
}

function find(id: string): Promise<{ status: string; attempts: number }> {
  return shop.db('outbox').where({ id }).first('status', 'attempts');
}

function hoursAgo(hours: number): Date {
  return new Date(Date.now() - hours * 3_600_000);
}
