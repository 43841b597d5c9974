import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Database } from '../db/database.ts';
import { placeOrder, readOrder, untilStatus } from '../testing/buyer.ts';
import { withShop } from '../testing/shop.ts';
import { deliver, event, succeededEvent } from '../testing/stripe-events.ts';
import { waitFor } from '../testing/wait-for.ts';

// The job of an event reaches the worker while the event's row is being committed.

const shop = await withShop();
shop.startWorker();
/** Sooner than the relay enqueues the row, after its lease of 10 s. */
const WITHOUT_RELAY_MS = 5_000;

test('a worker waits briefly for a row that is not committed yet', async () => {
  // A pause of the machine can be longer than the worker waits.
  await expect.poll(commitAfterFirstReading, { timeout: 60_000 }).toBe('done');
});

test('an event whose commit outlasts the wait is applied without the relay', async () => {
  const order = await placeOrder(shop);
  const release = await holdEvents();
  const answer = deliver(shop, succeededEvent(order));
  await untilInserting();
  await sleep(400);
  await release();
  expect((await answer).status).toBe(200);
  await untilStatus(shop, order.orderId, 'paid', WITHOUT_RELAY_MS);
});

test('a job whose row is never committed has no effect; the event is applied when redelivered', async () => {
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

test('rows that a worker waits for take no slot', async () => {
  // More than the worker has slots.
  const missing = Array.from({ length: 100 }, (_, n) => String(9_000_000_000 + n));
  const id = await storeEvent(shop.db);
  const readings = watchReadings([...missing, id]);
  enqueue([...missing, id]);
  await waitFor('the row is done', async () => (await statusOf(id)) === 'done');
  expect(readings.slice(0, readings.indexOf(id))).toEqual(missing);
});

/** Returns the status, a second later, of a row that is committed once a worker reads it for the second time. */
async function commitAfterFirstReading(): Promise<string> {
  const writing = await shop.db.transaction();
  const id = await storeEvent(writing);
  const readings = watchReadings([id]);
  enqueue([id]);
  await waitFor('the row is read again', () => readings.length > 1, { everyMs: 1 });
  await writing.commit();
  const isDone = async () => (await statusOf(id)) === 'done';
  await waitFor('the row is done', isDone, { timeoutMs: 1_000 }).catch(() => undefined);
  return statusOf(id);
}

/** An event's outbox row that the relay leaves alone. */
async function storeEvent(db: Database): Promise<string> {
  const insert = async (table: string, row: object) => (await db(table).insert(row, 'id'))[0].id;
  const payload = event('payment_intent.created', {});
  const named = { provider: 'stripe', event_id: payload.id, type: payload.type };
  const eventId = await insert('payment_events', { ...named, source: 'webhook', payload });
  const job = { job: 'apply-payment-event', queue: 'payments', payload: { eventId } };
  return insert('outbox', { ...job, due_at: new Date(Date.now() + 60_000) });
}

function enqueue(ids: string[]): void {
  const job = { queue: 'payments', job: 'apply-payment-event', delivery: 1 } as const;
  shop.outbox.enqueue([{ ...job, ids, bundle: randomUUID() }]);
}

/** Those of these outbox rows that workers read from now on, each time. */
function watchReadings(ids: string[]): string[] {
  const readings: string[] = [];
  shop.db.on('query', ({ sql, bindings }: { sql: string; bindings: (string | string[])[] }) => {
    if (!sql.includes('left join payment_events')) return;
    readings.push(...bindings.flat().filter((read) => ids.includes(read)));
  });
  return readings;
}

async function statusOf(id: string): Promise<string> {
  return (await shop.db('outbox').where({ id }).first('status')).status;
}

const INSERTING = `datname = current_database() and wait_event_type = 'Lock'
  and query like '%insert into payment_events%'`;

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
