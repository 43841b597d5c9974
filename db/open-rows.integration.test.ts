import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { withDatabase } from '../testing/with-database.ts';
import { findOpenRow, type OpenRow } from './open-rows.ts';
import { createOrder, findOrder } from './orders.ts';
import { receiveEvent } from './payment-events.ts';

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

async function readAnEventThatNames(namedOrderId: string | undefined): Promise<OpenRow | undefined> {
  const { entry } = await receiveEvent(db, {
    provider: 'stripe',
    eventId: `evt_${randomUUID()}`,
    type: 'payment_intent.succeeded',
    source: 'webhook',
    namedOrderId,
    payload: '{}',
    requestId: 'request',
  });
  return findOpenRow(db, entry?.ids[0] ?? '0');
}
