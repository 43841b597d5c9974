import { beforeEach, expect, test } from 'vitest';
import { withShop } from '../testing/shop.ts';
import { enqueueWhenDue, type ScheduledJob } from './schedules.ts';
import { transact } from './unit-of-work.ts';

const shop = await withShop();
const everyMs = 3_600_000;
const scheduled: ScheduledJob[] = [
  { job: { name: 'apply-retention', payload: {} }, everyMs },
  { job: { name: 'backfill-events', payload: { provider: 'stripe' } }, everyMs, schedule: 'backfill:stripe' },
  { job: { name: 'backfill-events', payload: { provider: 'paypal' } }, everyMs, schedule: 'backfill:paypal' },
];
const tick = () => transact(shop.db, null, (trx) => enqueueWhenDue(trx, scheduled));

beforeEach(async () => {
  await shop.db('schedules').delete();
  await shop.db('outbox').delete();
});

test('the first turn comes after a period', async () => {
  await tick();
  expect(await enqueued()).toEqual([]);
  const rows = await shop.db('schedules').select('next_at');
  expect(rows).toHaveLength(3);
  for (const { next_at: at } of rows)
    expect(Math.abs(at.getTime() - Date.now() - everyMs)).toBeLessThan(60_000);
});

test('each job is enqueued once per period, however many workers look', async () => {
  await tick();
  await shop
    .db('schedules')
    .whereNot({ name: 'backfill:paypal' })
    .update({ next_at: new Date(0) });
  await Promise.all([tick(), tick(), tick(), tick()]);
  await tick();
  expect(await enqueued()).toEqual([
    { job: 'apply-retention', payload: {} },
    { job: 'backfill-events', payload: { provider: 'stripe' } },
  ]);
});

function enqueued() {
  return shop.db('outbox').select('job', 'payload').orderBy('job');
}
