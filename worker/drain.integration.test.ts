import { expect, test } from 'vitest';
import { withShop } from '../testing/shop.ts';
import { waitFor } from '../testing/wait-for.ts';
import { startWorker } from './worker.ts';

const shop = await withShop();

test('a backlog that has filled its queue is run from the outbox', async () => {
  const { db, outbox, workerParts } = shop;
  await waitFor('the queue is connected', () => outbox.ping().then(() => true));
  await db.raw(
    `insert into outbox (job, queue, payload, due_at)
     select 'send-email', 'emails', '{"emailId":"0"}', now() - interval '1 second' from generate_series(1, 2300)`,
  );
  // A queue whose jobs no one takes.
  const idle = { waitUntilReady: async () => {}, close: async () => {} };
  const parts = { ...workerParts, backend: { ...workerParts.backend, openWorker: () => idle } };
  const worker = startWorker(parts, { relayMs: 500, checkMs: 60_000 });
  const enqueued = async () => (await outbox.queue('emails').getJobCounts('waiting')).waiting ?? 0;
  const rest = async () => 2_300 - (await enqueued());
  await waitFor('the rest is done', async () => (await count('done')) >= (await rest()), {
    timeoutMs: 40_000,
  });
  expect(await rest()).toBeGreaterThan(0);
  await worker.close();
});

async function count(status: string): Promise<number> {
  return (await shop.db('outbox').where({ status }).pluck('id')).length;
}
