import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { collectJobs } from '../testing/collected-jobs.ts';
import { withDatabase } from '../testing/with-database.ts';
import { findOpenRow } from './open-rows.ts';
import { createOrder, findOrder } from './orders.ts';
import { receiveEvent } from './receive-event.ts';

const db = await withDatabase();

test('an event is read with the order that it names', async () => {
  const { id: serviceId } = await db('services').first('id');
  const buyer = { customerName: 'Ada', customerEmail: 'ada@example.com', userId: null };
  const terms = { serviceId, amount: 299_900, paymentMethod: 'stripe', firstCheckInMs: 60_000 } as const;
  const key = { idempotencyKey: null, requestFingerprint: 'print' };
  const { id } = await createOrder(db, { ...buyer, ...terms, ...key }, 'request');
  expect(await readAnEventThatNames(id)).toMatchObject({ order: await findOrder(db, id) });

  await db('orders').where({ id }).update({ status: 'paid', paid_at: db.fn.now() });
  expect(await readAnEventThatNames(id)).toMatchObject({ order: await findOrder(db, id) });
});

test('an event that names no order, or one that does not exist, is read without', async () => {
  expect(await readAnEventThatNames(undefined)).toMatchObject({
    event: { status: 'received' },
    order: undefined,
  });
  expect(await readAnEventThatNames(randomUUID())).toMatchObject({ order: undefined });
});

test('a closed row is ended, a missing one undefined', async () => {
  const row = { job: 'reconcile-order', queue: 'payments', payload: '{}', due_at: new Date() };
  const [done] = await db('outbox')
    .insert({ ...row, status: 'done' })
    .returning<{ id: string }[]>('id');
  expect(await findOpenRow(db, done?.id ?? '')).toBe('ended');
  expect(await findOpenRow(db, '9000000000')).toBeUndefined();
});

async function readAnEventThatNames(namedOrderId: string | undefined): ReturnType<typeof findOpenRow> {
  const inbox = collectJobs(db);
  await receiveEvent(inbox, {
    provider: 'stripe',
    eventId: `evt_${randomUUID()}`,
    type: 'payment_intent.succeeded',
    source: 'webhook',
    namedOrderId,
    payload: '{}',
    requestId: 'request',
  });
  return findOpenRow(db, inbox.jobs[0]?.ids[0] ?? '0');
}
