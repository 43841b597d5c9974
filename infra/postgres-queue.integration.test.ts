import { randomUUID } from 'node:crypto';
import { Queue, Worker } from 'bullmq';
import { afterEach, expect, inject, test, vi } from 'vitest';
import { createDatabase } from '../db/database.ts';
import { createTestDatabase } from '../testing/databases.ts';
import { startOwnPostgres } from '../testing/services/postgres.ts';
import { waitFor } from '../testing/wait-for.ts';
import { openPostgresBackend } from './postgres-queue.ts';
import { createQueueBackend } from './queue.ts';

// Also if a test fails under its clock.
afterEach(() => void vi.useRealTimers());

test('the queue does not wait for the disk, and the outbox does', async () => {
  const url = await createTestDatabase(inject('postgresUrl'));
  const db = createDatabase(url, { poolMax: 1 });
  await db.raw(`create table commits (mode text);
    create function note_commit() returns trigger language plpgsql as $$ begin
      insert into public.commits values (current_setting('synchronous_commit'));
      return new;
    end $$;
    create trigger note after insert on bullmq.job for each row execute function note_commit();
    create trigger note after insert on outbox for each row execute function note_commit()`);
  const settings = { redisUrl: undefined, queuePrefix: 'test', onError: () => {} };
  const queue = createQueueBackend({ ...settings, listenDatabaseUrl: url }).openQueue('payments');
  await queue.add('apply-payment-event', { ids: ['1'] }, { jobId: randomUUID() });
  await db('outbox').insert({ job: 'remind-staff', queue: 'payments', payload: {}, due_at: db.fn.now() });
  expect(await db('commits').pluck('mode')).toEqual(['off', 'on']);
  await queue.close();
  await db.destroy();
});

test("a connection plans BullMQ's statements once, until a newer release changes what they return", async () => {
  const url = await createTestDatabase(inject('postgresUrl'));
  const db = createDatabase(url, { poolMax: 1 });
  const connection = { connectionString: url, max: 1, schema: 'bullmq', skipMigrations: true };
  const queue = new Queue('payments', { connection }, openPostgresBackend);
  const worker = new Worker('payments', undefined, { connection }, openPostgresBackend);
  const finishJob = async () => {
    const { id = '' } = await queue.add('apply-payment-event', { ids: ['1'] });
    expect(await queue.getJob(id)).toMatchObject({ data: { ids: ['1'] } });
    const job = await worker.getNextJob('token');
    expect(job?.id).toBe(id);
    await job?.moveToCompleted(null, 'token', false);
  };
  await finishJob();
  await finishJob();
  const session = await worker.backend.connection.pool.connect();
  const { rows } = await session.query(
    `select (generic_plans + custom_plans)::int as runs from pg_prepared_statements where statement like '%move_to_active(%'`,
  );
  session.release();
  expect(rows).toEqual([{ runs: 2 }]);

  await db.raw('alter table bullmq.job add column more text');
  await finishJob();
  await Promise.all([worker.close(), queue.close()]);
  await db.destroy();
});

test('a queue keeps one connection open while it has nothing to do', async () => {
  const url = await createTestDatabase(inject('postgresUrl'));
  const db = createDatabase(url, { poolMax: 1 });
  const settings = { redisUrl: undefined, queuePrefix: 'test', onError: () => {} };
  const queue = createQueueBackend({ ...settings, listenDatabaseUrl: url }).openQueue('payments');
  await queue.waitUntilReady();
  const readCounts = (times: number) =>
    Promise.all(Array.from({ length: times }, () => queue.getJobCounts('waiting')));
  const sessions = () =>
    db('pg_stat_activity')
      .whereRaw(`application_name = 'querywright queue' and datname = current_database()`)
      .pluck('pid');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await readCounts(4);
  const open = await sessions();
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  expect(open.length).toBeGreaterThan(1);
  await waitFor('the others are closed', async () => (await sessions()).length <= 1);

  await readCounts(1);
  expect(open).toContain((await sessions())[0]);
  await queue.close();
  await db.destroy();
});

test('a database that is killed while BullMQ checks its schema ends the call, not the process', async () => {
  const postgres = await startOwnPostgres();
  const db = createDatabase(postgres.url, { poolMax: 2 });
  const lock = await db.transaction();
  await lock.raw('lock table bullmq.migration');

  const settings = { redisUrl: undefined, queuePrefix: 'test', onError: () => {} };
  const queue = createQueueBackend({ ...settings, listenDatabaseUrl: postgres.url }).openQueue('payments');
  const outcome = queue.waitUntilReady().catch((error: unknown) => error);
  await waitFor('the check waits', async () => {
    const { rows } = await db.raw(
      `select from pg_stat_activity where application_name = 'querywright queue' and wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  });
  await postgres.stop();
  expect(await outcome).toBeInstanceOf(Error);

  await lock.rollback().catch(() => {});
  await queue.close();
  await db.destroy();
  await postgres.remove();
}, 60_000);
