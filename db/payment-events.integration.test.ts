import { setImmediate as nextIteration } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { withDatabase } from '../testing/with-database.ts';
import { type NewPaymentEvent, receiveEvent } from './payment-events.ts';

const db = await withDatabase();

test('an event that is delivered twice at once has one job', async () => {
  const event = succeeded('evt_twice');
  const received = await Promise.all([receiveEvent(db, event), receiveEvent(db, event)]);
  expect(received.filter(({ isNew }) => isNew)).toHaveLength(1);
  expect(await db('outbox').select('job')).toEqual([{ job: 'apply-payment-event' }]);
});

test('events that follow each other share a job, although each arrives alone', async () => {
  let round = 0;
  // A pause of the machine can be longer than the events wait for each other.
  const sizesOfBundles = async () => {
    round += 1;
    await receiveEvent(db, succeeded(`evt_${round}_first`));
    const others = ['second', 'third'].map(async (name, turns) => {
      for (let turn = 0; turn < 3 * turns; turn++) await nextIteration();
      return receiveEvent(db, succeeded(`evt_${round}_${name}`));
    });
    return (await Promise.all(others)).map(({ entry }) => entry?.ids.length);
  };
  await expect.poll(sizesOfBundles, { timeout: 60_000 }).toEqual([2, undefined]);
});

function succeeded(eventId: string): NewPaymentEvent {
  const type = 'payment_intent.succeeded';
  return { provider: 'stripe', eventId, type, source: 'webhook', payload: '{}', requestId: 'request' };
}
