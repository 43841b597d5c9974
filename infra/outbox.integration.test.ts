import { setImmediate as nextIteration } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queueEmails } from '../db/emails.ts';
import { claimDueRows, postpone, recordFailure, relayDueRows } from '../db/outbox.ts';
import { type Shop, startShop } from '../testing/shop.ts';
import { waitFor } from '../testing/wait-for.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await startShop();
  await waitFor('the queue is connected', async () => {
    await shop.outbox.ping();
    return true;
  });
});
afterEach(() => shop.close());

test('a row whose job still waits in the queue is not enqueued twice', async () => {
  const before = await waiting();
  await insertDueRows(20);
  await shop.outbox.relay();
  await shop.db('outbox').update({ due_at: new Date(0) });
  await shop.outbox.relay();
  expect((await waiting()) - before).toBe(20);
});

test('e-mails that are written shortly after each other share jobs of up to 32, enqueued in waves', async () => {
  const before = await waiting();
  await Promise.all(
    Array.from({ length: 40 }, (_, number) =>
      shop.outbox.transaction(null, (trx) =>
        queueEmails(trx, [{ kind: 'order_notice', dedupeKey: `${number}`, params: {} }]),
      ),
    ),
  );
  await waitFor('all are enqueued', async () => (await rowsNeverEnqueued()) === 0, { timeoutMs: 2_000 });
  const bundles = await shop
    .db('outbox')
    .groupBy('bundle')
    .select('bundle', { rows: shop.db.raw('count(*)::int') });
  expect(bundles.reduce((sum, { rows }) => sum + rows, 0)).toBe(40);
  expect(Math.max(...bundles.map(({ rows }) => rows))).toBeLessThanOrEqual(32);
  expect((await waiting()) - before).toBe(
    bundles.reduce((jobs, { bundle, rows }) => jobs + (bundle ? 1 : rows), 0),
  );
  expect((await waiting()) - before).toBeLessThan(10);
});

test('an e-mail that was enqueued before keeps its bundle', async () => {
  await insertNewMails(3);
  const bundles = new Set((await claimDueRows(shop.db, ['emails'], 10)).map(({ bundle }) => bundle));
  expect([...bundles]).toEqual([expect.any(String)]);
  await insertNewMails(2);
  await shop.db('outbox').update({ due_at: new Date(0) });
  const again = await claimDueRows(shop.db, ['emails'], 10);
  expect(again.filter(({ bundle }) => bundles.has(bundle))).toHaveLength(3);
  expect(new Set(again.map(({ bundle }) => bundle)).size).toBe(2);
});

test('a full queue gets no e-mails from later commits either', async () => {
  await insertDueRows(3_500);
  await shop.outbox.relay();
  const [before, due] = [await waiting(), await dueRows()];
  const looks = vi.spyOn(shop.outbox.queue('emails'), 'getJobCounts');
  for (const wave of [1, 2]) {
    await shop.outbox.transaction(null, (trx) =>
      queueEmails(trx, [{ kind: 'order_notice', dedupeKey: `${wave}`, params: {} }]),
    );
    // The second wave looks at the queue when the first has ended.
    await waitFor('a wave', () => looks.mock.calls.length === wave);
  }
  expect(await waiting()).toBe(before);
  expect(await dueRows()).toBe(due + 2);
});

test('a queue with thousands of jobs gets no events from webhooks either, until it has room again', async () => {
  const queue = shop.outbox.queue('payments');
  const count = vi.spyOn(queue, 'getJobCounts').mockResolvedValue({ waiting: 5_000 });
  const add = vi.spyOn(queue, 'addBulk').mockResolvedValue([]);
  const event = { job: 'apply-payment-event', queue: 'payments', delivery: 1, bundle: null } as const;
  const areAdded = async () => {
    add.mockClear();
    shop.outbox.enqueue(Array.from({ length: 100 }, (_, n) => ({ ...event, ids: [String(n + 1)] })));
    await nextIteration();
    return add.mock.calls.length > 0;
  };
  await waitFor('the process counts', async () => !(await areAdded()));
  expect(await areAdded()).toBe(false);
  count.mockResolvedValue({ waiting: 4_999 });
  await waitFor('the process counts again', areAdded);
});

test('what the queue does not take stays due', async () => {
  const refuse = () => Promise.reject(new Error('The queue does not answer'));
  await insertNewMails(2);
  await expect(relayDueRows(shop.db, ['emails'], 10, refuse)).rejects.toThrow('does not answer');
  expect(await dueRows()).toBe(2);
});

test('a full queue does not block another one', async () => {
  await insertDueRows(3_500);
  await shop.outbox.relay();
  await shop
    .db('outbox')
    .insert({ job: 'reconcile-order', queue: 'payments', payload: {}, due_at: new Date() });
  expect(await shop.outbox.relay()).toEqual({ relayed: 1, fullQueues: ['emails'] });
});

test('a backlog fills the queue and otherwise waits in the outbox', async () => {
  await insertDueRows(3_500);
  const { relayed, fullQueues } = await shop.outbox.relay();
  expect(relayed).toBeGreaterThanOrEqual(500);
  expect(fullQueues).toEqual(['emails']);
  expect(await dueRows()).toBe(3_500 - relayed);

  await shop.db('outbox').where('due_at', '>', shop.db.fn.now()).delete();
  await keepRows(50);
  shop.startWorker();
  await waitFor('the rest is done', async () => (await openRows()) === 0, { timeoutMs: 80_000 });
});

test.each([
  ['a row that was postponed', (id: string) => postpone(shop.db, id, 0)],
  ['a row that failed', (id: string) => recordFailure(shop.db, id, { error: 'test', retryInMs: 0 })],
])('%s is due again 10 s after it was enqueued, however often it has run', async (_what, endRun) => {
  await insertDueRows(1);
  for (let run = 1; run <= 8; run++) {
    const [entry] = await claimDueRows(shop.db, ['emails'], 1);
    expect(await leaseOf(entry?.id)).toBeCloseTo(10);
    await endRun(entry?.id ?? '');
  }
});

/** Jobs for an e-mail that does not exist: done as soon as they run. */
async function insertDueRows(count: number): Promise<void> {
  await shop.db.raw(
    `insert into outbox (job, queue, payload, due_at)
     select 'send-email', 'emails', '{"emailId":"0"}', now() - interval '1 second' from generate_series(1, ?)`,
    [count],
  );
}

async function insertNewMails(count: number): Promise<void> {
  const row = {
    job: 'send-email',
    queue: 'emails',
    payload: '{"emailId":"0"}',
    pushes: 0,
    due_at: new Date(0),
  };
  await shop.db('outbox').insert(Array(count).fill(row));
}

async function rowsNeverEnqueued(): Promise<number> {
  return (await shop.db('outbox').where({ pushes: 0 }).pluck('id')).length;
}

/** Seconds from the claim until the row is due again. */
async function leaseOf(id: string | undefined): Promise<number> {
  const row = await shop
    .db('outbox')
    .where({ id })
    .first({
      lease: shop.db.raw('extract(epoch from due_at - now())::float8'),
    });
  return Math.round(row.lease);
}

async function waiting(): Promise<number> {
  const { waiting = 0 } = await shop.outbox.queue('emails').getJobCounts('waiting');
  return waiting;
}

/** Deletes all rows but the last ones. */
async function keepRows(count: number): Promise<void> {
  const kept = await shop.db('outbox').orderBy('id', 'desc').limit(count).pluck('id');
  await shop.db('outbox').whereNotIn('id', kept).delete();
}

async function openRows(): Promise<number> {
  return (await shop.db('outbox').where({ status: 'open' }).pluck('id')).length;
}

async function dueRows(): Promise<number> {
  return (
    await shop.db('outbox').where({ status: 'open' }).where('due_at', '<=', shop.db.fn.now()).pluck('id')
  ).length;
}
