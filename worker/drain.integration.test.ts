import { expect, test, vi } from 'vitest';
import { markDoneWithoutEffect } from '../db/outbox.ts';
import { withShop } from '../testing/shop.ts';
import { waitFor } from '../testing/wait-for.ts';
import { createDrain } from './drain.ts';
import { startWorker } from './worker.ts';

const shop = await withShop();
const dropped = { status: 'dropped' };

test('a backlog that has filled its queue is run from the outbox, and no longer enqueued', async () => {
  const { outbox, workerParts } = shop;
  await waitFor('the queue is connected', () => outbox.ping().then(() => true));
  await insertDueMails(1_300);
  // A queue whose jobs no one takes.
  const idle = { waitUntilReady: async () => {}, close: async () => {} };
  const relay = vi.fn(outbox.relay);
  const { hanging, release } = hang();
  const worker = startWorker(
    {
      ...workerParts,
      backend: { ...workerParts.backend, openWorker: () => idle },
      mailer: { ...workerParts.mailer, whenFree: <T>() => hanging.then(() => dropped as T) },
      outbox: { ...outbox, relay },
    },
    { relayMs: 500, checkMs: 60_000 },
  );
  await waitFor('the relay goes on', () => relay.mock.calls.length >= 2);
  release();
  const enqueued = (await outbox.queue('emails').getJobCounts('waiting')).waiting ?? 0;
  expect(enqueued).toBeLessThan(1_300);
  await waitFor('the rest is done', async () => (await count('done')) >= 1_300 - enqueued);
  expect(relay.mock.calls.slice(0, 2)).toEqual([[['payments', 'emails']], [['payments']]]);
  await worker.close();
});

test('a row that hangs holds up no other, nor the relay', async () => {
  const { db, workerParts } = shop;
  await db('outbox').delete();
  await insertDueMails(1_500);
  const { hanging, release } = hang();
  let begun = 0;
  const run = async (id: string) => {
    begun += 1;
    if (begun === 1) await hanging;
    await markDoneWithoutEffect(db, id);
  };
  const drain = createDrain(workerParts, { payments: 0, emails: 8 }, run);
  drain.start('emails');
  await waitFor('the others are done', async () => (await count('done')) === 1_499);
  await waitFor('the relay takes over', async () => !drain.isClaiming('emails'));
  release();
  await drain.close();
  expect(await count('done')).toBe(1_500);
});

function hang() {
  let release = () => {};
  const hanging = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { hanging, release };
}

async function insertDueMails(rows: number): Promise<void> {
  await shop.db.raw(
    `with email as (
       insert into emails (kind, dedupe_key, params)
       select 'job_dead_alert', gen_random_uuid(), '{"jobId": "7", "job": "reconcile-order", "error": "Error: no"}'
       from generate_series(1, ?) returning id)
     insert into outbox (job, queue, payload, due_at)
     select 'send-email', 'emails', jsonb_build_object('emailId', id::text), now() - interval '1 second' from email`,
    [rows],
  );
}

async function count(status: string): Promise<number> {
  return (await shop.db('outbox').where({ status }).pluck('id')).length;
}
