import { expect, test, vi } from 'vitest';
import { markDoneAlone } from '../db/outbox.ts';
import { withShop } from '../testing/shop.ts';
import { waitFor } from '../testing/wait-for.ts';
import { createDrain } from './drain.ts';
import { startWorker } from './worker.ts';

const shop = await withShop();

const ROWS = 6_000;

test('a backlog that has filled its queue is run from the outbox, and no longer enqueued', async () => {
  const { outbox, workerParts } = shop;
  await waitFor('the queue is connected', () => outbox.ping().then(() => true));
  await insertDueMails(ROWS);
  // A queue whose jobs no one takes.
  const idle = { waitUntilReady: async () => {}, close: async () => {} };
  const relay = vi.fn(outbox.relay);
  const backend = { ...workerParts.backend, openWorker: () => idle };
  const parts = { ...workerParts, backend, outbox: { ...outbox, relay } };
  const worker = startWorker(parts, { relayMs: 500, checkMs: 60_000 });
  const enqueued = async () => (await outbox.queue('emails').getJobCounts('waiting')).waiting ?? 0;
  const rest = async () => ROWS - (await enqueued());
  await waitFor('the rest is done', async () => (await count('done')) >= (await rest()), {
    timeoutMs: 40_000,
  });
  expect(await rest()).toBeGreaterThan(0);
  expect(relay.mock.calls.slice(0, 2)).toEqual([[['payments', 'emails']], [['payments']]]);
  await worker.close();
});

test('a row that hangs holds up no other, nor the relay', async () => {
  const { db, workerParts } = shop;
  await db('outbox').delete();
  await insertDueMails(1_500);
  let release = () => {};
  const hanging = new Promise<void>((resolve) => {
    release = resolve;
  });
  let begun = 0;
  const run = async (id: string) => {
    begun += 1;
    if (begun === 1) await hanging;
    await markDoneAlone(db, id);
  };
  const drain = createDrain(workerParts, { payments: 0, emails: 8 }, run);
  drain.start('emails');
  await waitFor('the others are done', async () => (await count('done')) === 1_499);
  await waitFor('the relay takes over', async () => !drain.isClaiming('emails'));
  release();
  await drain.close();
  expect(await count('done')).toBe(1_500);
});

async function insertDueMails(rows: number): Promise<void> {
  await shop.db.raw(
    `insert into outbox (job, queue, payload, due_at)
     select 'send-email', 'emails', '{"emailId":"0"}', now() - interval '1 second' from generate_series(1, ?)`,
    [rows],
  );
}

async function count(status: string): Promise<number> {
  return (await shop.db('outbox').where({ status }).pluck('id')).length;
}
