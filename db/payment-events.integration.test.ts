import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createTestDatabase } from '../testing/databases.ts';
import { createDatabase, type Database } from './database.ts';
import { type NewPaymentEvent, receiveEvent } from './payment-events.ts';

let db: Database;
beforeAll(async () => {
  db = createDatabase(await createTestDatabase(inject('postgresUrl')));
});
afterAll(() => db.destroy());

test('an event that is delivered twice at once has one job', async () => {
  const event: NewPaymentEvent = {
    provider: 'stripe',
    eventId: 'evt_twice',
    type: 'payment_intent.succeeded',
    source: 'webhook',
    payload: '{}',
    requestId: 'request',
  };
  const received = await Promise.all([receiveEvent(db, event), receiveEvent(db, event)]);
  expect(received.filter(({ isNew }) => isNew)).toHaveLength(1);
  expect(await db('outbox').select('job')).toEqual([{ job: 'apply-payment-event' }]);
});
