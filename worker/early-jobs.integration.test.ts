import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
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

test('thousands of jobs without rows, as from redelivered events, do not delay a payment', async () => {
  const order = await placeOrder(shop);
  const job = { job: 'apply-payment-event', queue: 'payments', delivery: 1 } as const;
  const bundles = Array.from({ length: 300 }, (_, n) => ({
    ...job,
    bundle: randomUUID(),
    ids: Array.from({ length: 32 }, (_, m) => String(9_000_000_000 + 32 * n + m)),
  }));
  shop.outbox.enqueue(bundles);
  await waitFor('they are in the queue', async () => {
    const { waiting = 0, active = 0 } = await shop.outbox.queue('payments').getJobCounts('waiting', 'active');
    return waiting + active > 0;
  });
  expect((await deliver(shop, succeededEvent(order))).status).toBe(200);
  await untilStatus(shop, order.orderId, 'paid', 10_000);
}, 60_000);

/** Returns the status, a second later, of a row that is committed once a worker has looked for it in vain. */
async function commitAfterFirstReading(): Promise<string> {
  const writing = await shop.db.transaction();
  const insert = async (table: string, row: object) => (await writing(table).insert(row, 'id'))[0].id;
  const payload = event('payment_intent.created', {});
  const named = { provider: 'stripe', event_id: payload.id, type: payload.type };
  const eventId = await insert('payment_events', { ...named, source: 'webhook', payload });
  const job = { job: 'apply-payment-event', queue: 'payments', payload: { eventId } };
  const id = await insert('outbox', { ...job, due_at: new Date(Date.now() + 60_000) });
  const isRead = new Promise<void>((resolve) => {
    shop.db.on('query-response', function onResponse(_rows, { sql }: { sql: string }) {
      if (!sql.includes('left join payment_events')) return;
      shop.db.off('query-response', onResponse);
      resolve();
    });
  });
  shop.outbox.enqueue([
    { queue: 'payments', job: 'apply-payment-event', ids: [id], bundle: null, delivery: 1 },
  ]);
  await isRead;
  await writing.commit();
  const status = async () => (await shop.db('outbox').where({ id }).first('status')).status;
  const isDone = async () => (await status()) === 'done';
  await waitFor('the row is done', isDone, { timeoutMs: 1_000 }).catch(() => undefined);
  return status();
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
