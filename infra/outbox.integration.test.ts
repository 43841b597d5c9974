import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Shop, startShop } from '../testing/shop.ts';
import { waitFor } from '../testing/wait-for.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await startShop();
});
beforeEach(() => shop.db('outbox').delete());
afterAll(() => shop.close());

test('a row whose job still waits in the queue is not enqueued twice', async () => {
  const before = await waiting();
  await insertDueRows(20);
  await shop.outbox.relay();
  await shop.db('outbox').update({ due_at: new Date(0) });
  await shop.outbox.relay();
  expect((await waiting()) - before).toBe(20);
});

test('the relay enqueues all due rows at once, however many', async () => {
  const before = await waiting();
  await insertDueRows(3_500);
  expect(await shop.outbox.relay()).toBe(3_500);
  expect((await waiting()) - before).toBe(3_500);
  expect(await shop.outbox.relay()).toBe(0);

  shop.startWorker();
  await waitFor('all jobs are done', async () => (await openRows()) === 0);
});

/** Jobs for an e-mail that does not exist: done as soon as they run. */
async function insertDueRows(count: number): Promise<void> {
  await shop.db.raw(
    `insert into outbox (job, queue, payload, due_at)
     select 'send-email', 'emails', '{"emailId":"0"}', now() - interval '1 second' from generate_series(1, ?)`,
    [count],
  );
}

async function waiting(): Promise<number> {
  const { waiting = 0 } = await shop.outbox.queue('emails').getJobCounts('waiting');
  return waiting;
}

async function openRows(): Promise<number> {
  return (await shop.db('outbox').where({ status: 'open' }).pluck('id')).length;
}
