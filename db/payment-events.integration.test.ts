import { expect, test } from 'vitest';
import { withDatabase } from '../testing/with-database.ts';
import { type NewPaymentEvent, receiveEvent } from './payment-events.ts';

const db = await withDatabase();

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
