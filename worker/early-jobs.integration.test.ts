import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { placeOrder, readOrder, untilStatus } from '../testing/buyer.ts';
import { withShop } from '../testing/shop.ts';
import { deliver, event, succeededEvent } from '../testing/stripe-events.ts';
import { waitFor } from '../testing/wait-for.ts';
import { runJob } from './run-job.ts';

// The job of an event reaches the worker while the event's row is being committed.

const shop = await withShop();
shop.startWorker();
/** Sooner than the relay enqueues the row, after its lease of 10 s. */
const WITHOUT_RELAY_MS = 5_000;

test('a worker waits for a row that is committed a moment after its job has come', async () => {
  // A pause of the machine can be longer than the worker waits.
  await expect.poll(runBeforeCommit, { timeout: 60_000 }).toBe('done');
});

test('an event whose row is committed later than a worker waits is applied without the relay', async () => {
  const order = await placeOrder(shop);
  const release = await holdEvents();
  const answer = deliver(shop, succeededEvent(order));
  await untilInserting();
  await sleep(400);
  await release();
  expect((await answer).status).toBe(200);
  await untilStatus(shop, order.orderId, 'paid', WITHOUT_RELAY_MS);
});

test('an event whose row is never committed ends its job, and is applied when it is delivered again', async () => {
  const order = await placeOrder(shop);
  const paid = succeededEvent(order);
  const release = await holdEvents();
  const answer = deliver(shop, paid);
  await untilInserting();
  await shop.db.raw(`select pg_cancel_backend(pid) from pg_stat_activity where ${INSERTING}`);
  expect((await answer).status).toBe(503);
  await release();
  await waitFor('the queue is empty', async () => {
    const { waiting, active } = await shop.outbox.queue('payments').getJobCounts('waiting', 'active');
    return waiting === 0 && active === 0;
  });
  expect((await readOrder(shop, order.orderId)).status).toBe('pending');

  expect((await deliver(shop, paid)).status).toBe(200);
  await untilStatus(shop, order.orderId, 'paid', WITHOUT_RELAY_MS);
});

/** Returns the status of a row that is committed while its job runs. */
async function runBeforeCommit(): Promise<string> {
  const writing = await shop.db.transaction();
  const insert = async (table: string, row: object) => (await writing(table).insert(row, 'id'))[0].id;
  const payload = event('payment_intent.created', {});
  const named = { provider: 'stripe', event_id: payload.id, type: payload.type };
  const eventId = await insert('payment_events', { ...named, source: 'webhook', payload });
  const job = { job: 'apply-payment-event', queue: 'payments', payload: { eventId } };
  const id = await insert('outbox', { ...job, due_at: new Date(Date.now() + 60_000) });
  const running = runJob(shop.workerParts, id);
  await sleep(5);
  await writing.commit();
  await running;
  return (await shop.db('outbox').where({ id }).first('status')).status;
}

const INSERTING = `wait_event_type = 'Lock' and query like '%insert into payment_events%'`;

async function untilInserting(): Promise<void> {
  const inserting = () => shop.db('pg_stat_activity').whereRaw(INSERTING).first('pid');
  await waitFor('the event is being stored', inserting, { everyMs: 1 });
}

/** No event is stored until the returned function is called. */
async function holdEvents(): Promise<() => Promise<unknown>> {
  const holder = await shop.db.transaction();
  await holder.raw('lock table payment_events in share mode');
  return () => holder.rollback();
}
