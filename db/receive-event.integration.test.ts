import { setImmediate as nextIteration } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { collectJobs } from '../testing/collected-jobs.ts';
import { startOwnPostgres } from '../testing/services/postgres.ts';
import { withDatabase } from '../testing/with-database.ts';
import { createDatabase, type Database } from './database.ts';
import { enqueue } from './outbox.ts';
import { type NewPaymentEvent, receiveEvent } from './receive-event.ts';
import { transact } from './unit-of-work.ts';

const db = await withDatabase();
const inbox = collectJobs(db);

test('an event that is delivered twice at once has one job', async () => {
  const event = succeeded('evt_twice');
  const isNew = await Promise.all([receiveEvent(inbox, event), receiveEvent(inbox, event)]);
  expect(isNew.filter(Boolean)).toHaveLength(1);
  expect(await db('outbox').select('job')).toEqual([{ job: 'apply-payment-event' }]);
});

test('events that follow each other share a job, although each arrives alone', async () => {
  let round = 0;
  // A pause of the machine can be longer than the events wait for each other.
  const sizesOfBundles = async () => {
    round += 1;
    await receiveEvent(inbox, succeeded(`evt_${round}_first`));
    inbox.jobs.splice(0);
    const others = ['second', 'third'].map(async (name, turns) => {
      for (let turn = 0; turn < 3 * turns; turn++) await nextIteration();
      return receiveEvent(inbox, succeeded(`evt_${round}_${name}`));
    });
    await Promise.all(others);
    return inbox.jobs.map(({ ids }) => ids.length);
  };
  await expect.poll(sizesOfBundles, { timeout: 60_000 }).toEqual([2]);
});

test('an event is stored even if the id reserved for its job is taken, as after a failover', async () => {
  await receiveEvent(inbox, succeeded('evt_before'));
  const [last = ''] = inbox.jobs.at(-1)?.ids ?? [];
  await db.raw(
    `insert into outbox (id, job, queue, payload, due_at) overriding system value
     select ?::bigint + n, 'reconcile-order', 'payments', '{}', now() from generate_series(1, 3) as n`,
    [last],
  );

  expect(await receiveEvent(inbox, succeeded('evt_after'))).toBe(true);
});

test('a commit succeeds even if the id of its job is taken, as after a failover that lost a reservation', async () => {
  const { rows } = await db.raw(`select nextval(pg_get_serial_sequence('outbox', 'id')) as last`);
  await db.raw(
    `insert into outbox (id, job, queue, payload, due_at) overriding system value
     select ?::bigint + n, 'reconcile-order', 'payments', '{}', now() from generate_series(1, 20) as n`,
    [rows[0].last],
  );
  const job = {
    name: 'refund-duplicate',
    payload: { orderId: crypto.randomUUID(), paymentId: 'pi_1' },
  } as const;
  await transact(db, null, (trx) => enqueue(trx, job));
  expect(await db('outbox').where({ job: 'refund-duplicate' })).toHaveLength(1);
});

test('an event that the database loses before its commit is flushed is stored again', async () => {
  await db.raw(`create sequence losses;
    create function lose() returns trigger language plpgsql as $$ begin
      if nextval('losses') = 1 then delete from payment_events where id = new.id; end if;
      return null;
    end $$;
    create trigger lose after insert on payment_events for each row when (new.event_id = 'evt_lost') execute function lose()`);

  expect(await receiveEvent(inbox, succeeded('evt_lost'))).toBe(true);
  expect(await db('payment_events').where({ event_id: 'evt_lost' }).pluck('status')).toEqual(['received']);
});

test.each([
  ['a new', true],
  ['a known', false],
])('%s event survives a crash of the database as soon as it is received', async (_which, isNew) => {
  const event = succeeded('evt_crash');
  const stored = await afterCrash(async (own, ownInbox) => {
    if (!isNew) await storeWithoutFlush(own, event);
    expect(await receiveEvent(ownInbox, event)).toBe(isNew);
  });
  expect(stored).toEqual(['evt_before', 'evt_crash']);
});

test('so do many that are received together', async () => {
  const ids = Array.from({ length: 8 }, (_, n) => `evt_together_${n}`);
  const stored = await afterCrash(async (_own, ownInbox) => {
    await Promise.all(ids.map((id) => receiveEvent(ownInbox, succeeded(id))));
  });
  expect(stored.sort()).toEqual(['evt_before', ...ids]);
});

/** The ids of the events that survive a crash right after `receive`. */
async function afterCrash(
  receive: (own: Database, ownInbox: ReturnType<typeof collectJobs>) => Promise<void>,
): Promise<string[]> {
  // Until then, only a synchronous commit flushes the WAL.
  const postgres = await startOwnPostgres({ wal_writer_delay: '10s' });
  onTestFinished(() => postgres.remove());
  await withConnection(postgres.url, async (own) => {
    const ownInbox = collectJobs(own);
    // Reserving ids for jobs flushes the WAL, too.
    await receiveEvent(ownInbox, succeeded('evt_before'));
    await receive(own, ownInbox);
  });
  await postgres.restart();
  return withConnection(postgres.url, (own) => own('payment_events').orderBy('id').pluck('event_id'));
}

async function withConnection<T>(url: string, work: (own: Database) => Promise<T>): Promise<T> {
  const own = createDatabase(url);
  return work(own).finally(() => own.destroy());
}

/** As another process does before its flush. */
async function storeWithoutFlush(
  own: Database,
  { eventId, provider, type, source, payload }: NewPaymentEvent,
) {
  await own.transaction(async (trx) => {
    await trx.raw('set local synchronous_commit = off');
    await trx('payment_events').insert({ event_id: eventId, provider, type, source, payload });
  });
}

function succeeded(eventId: string): NewPaymentEvent {
  const type = 'payment_intent.succeeded';
  return { provider: 'stripe', eventId, type, source: 'webhook', payload: '{}', requestId: 'request' };
}
