import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { parseEmailParams } from '../core/emails.ts';
import { createTestDatabase } from '../testing/databases.ts';
import { waitFor } from '../testing/wait-for.ts';
import { createClient, createDatabase, type Database } from './database.ts';
import { queueEmails } from './emails.ts';
import { migrationSource } from './migrations/index.ts';
import { seedServices } from './services.ts';
import { transact } from './unit-of-work.ts';

let url: string;
let db: Database;
beforeAll(async () => {
  url = await createTestDatabase(inject('postgresUrl'));
  db = createDatabase(url, { poolMax: 2 });
});
afterAll(() => db.destroy());

test('the migrations roll back one by one and forward again to the same schema', async () => {
  const before = await schema();
  const names = await migrationSource.getMigrations([]);
  for (const name of [...names].reverse()) {
    const [, undone] = await db.migrate.down();
    expect(undone).toEqual([name]);
  }
  expect(await schema()).toEqual([]);

  const [, applied] = await db.migrate.latest();
  expect(applied).toEqual(names);
  expect(await schema()).toEqual(before);
  await seedServices(db);
  expect(await db('services').pluck('slug')).toHaveLength(4);
});

test('the counts of rate limits are not written to the log', async () => {
  const [table] = await db('pg_class').select('relpersistence').where({ relname: 'rate_limits' });
  expect(table).toEqual({ relpersistence: 'u' });
});

test('e-mails of the previous version get their params, before and after the migration', async () => {
  const orderId = await oneOrder();
  await db.migrate.down({ name: '0003-email-params' });
  const old = [
    ['order_confirmation', orderId],
    ['refund_notice', `${orderId}:1000`],
    ['refund_notice', `${orderId}:2500`],
    ['dispute_notice', `${orderId}:dp_1:opened`],
    ['newsletter_welcome', 'b1a7e4a0-0000-4000-8000-000000000000:3'],
  ];
  await insertOld(old);
  await db.migrate.latest();
  await insertOld([
    ['refund_notice', `${orderId}:9000`],
    ['dispute_notice', `${orderId}:dp_1:closed`],
    ['review_alert', `${orderId}:pi_2`],
    ['enrollment_notice', 'c41f7e90-0000-4000-8000-000000000000:1700000000000'],
  ]);

  const emails = await db('emails').select('kind', 'dedupe_key', 'params', 'order_id').orderBy('id');
  expect(emails.map(({ kind, params, order_id }) => [kind, params, order_id === orderId])).toEqual([
    ['order_confirmation', {}, true],
    ['refund_notice', { refundedTotal: 1000, refundedBefore: 0 }, true],
    ['refund_notice', { refundedTotal: 2500, refundedBefore: 1000 }, true],
    ['dispute_notice', { disputeId: 'dp_1', state: 'opened' }, true],
    ['newsletter_welcome', { subscriptionId: 'b1a7e4a0-0000-4000-8000-000000000000' }, false],
    ['refund_notice', { refundedTotal: 9000, refundedBefore: 2500 }, true],
    ['dispute_notice', { disputeId: 'dp_1', state: 'won' }, true],
    ['review_alert', { paymentId: 'pi_2' }, true],
    ['enrollment_notice', { userId: 'c41f7e90-0000-4000-8000-000000000000' }, false],
  ]);
  for (const { kind, params } of emails) expect(() => parseEmailParams(kind, params)).not.toThrow();
});

test('a dispute closed by the previous version after the migration keeps its outcome', async () => {
  const orderId = await oneOrder();
  const facts = {
    disputes: { dp_1: { amount: 100, outcome: 'lost' }, dp_2: { amount: 50, outcome: 'won' } },
  };
  await db.raw(
    `with saved as (update orders set payment_facts = ? where id = ? returning id)
     insert into emails (kind, subject_id) select 'dispute_notice', id || ':dp_2:closed' from saved`,
    [JSON.stringify(facts), orderId],
  );
  expect(await db('emails').where({ order_id: orderId }).pluck('params')).toEqual([
    { disputeId: 'dp_2', state: 'won' },
  ]);
});

test('the previous version finds the subject of this version’s e-mails, and sends none of them again', async () => {
  const orderId = await oneOrder();
  await db.migrate.latest();
  const params = { refundedTotal: 500, refundedBefore: 0 };
  const dedupeKey = `${orderId}:500`;
  await transact(db, null, (trx) =>
    queueEmails(trx, [{ kind: 'refund_notice', dedupeKey, params, orderId }]),
  );
  expect(await insertOld([['refund_notice', dedupeKey]])).toBe(0);
  expect(await db('emails').where({ order_id: orderId }).pluck('subject_id')).toEqual([dedupeKey]);
});

test('rolling back keeps the e-mails that the previous version can send and drops the rest', async () => {
  const orderId = await oneOrder();
  await db.migrate.latest();
  await db('emails').insert([
    { kind: 'order_notice', dedupe_key: orderId, order_id: orderId },
    { kind: 'a_later_kind', dedupe_key: orderId, order_id: orderId },
  ]);
  await db.migrate.down({ name: '0003-email-params' });
  expect(await db('emails').where({ subject_id: orderId }).orderBy('kind').select('kind', 'status')).toEqual([
    { kind: 'a_later_kind', status: 'dropped' },
    { kind: 'order_notice', status: 'queued' },
  ]);
  await db.migrate.latest();
});

describe('the release that identified payments by charge', () => {
  test('has to be stopped before orders are converted', async () => {
    const orderId = await oneOrder();
    await db.migrate.down({ name: '0005-one-road' });
    const facts = { captures: { ch_1: { amount: 100 } }, refunded: {}, decision: null };
    await db('orders').where({ id: orderId }).update({ payment_facts: facts, payment_intent_id: 'pi_1' });
    const worker = createClient(url, 'querywright worker');
    await worker.connect();
    await expect(db.migrate.latest()).rejects.toThrow('Stop the web and worker processes of 1.0.0 first');
    await worker.end();
    await waitFor('it is gone', () =>
      db.migrate.latest().then(
        () => true,
        () => false,
      ),
    );
    expect(await db('orders').where({ id: orderId }).first('payment_facts')).toMatchObject({
      payment_facts: { captures: { pi_1: { amount: 100, captureId: 'ch_1' } } },
    });
  });

  test('cannot refund a payment that it mistakes for a second one', async () => {
    const job = { job: 'refund-duplicate-capture', queue: 'payments', payload: {}, due_at: new Date() };
    await expect(db('outbox').insert(job)).rejects.toThrow('must not run on this schema');
  });
});

/** An order with a dispute that was won. */
async function oneOrder(): Promise<string> {
  await seedServices(db);
  const service = await db('services').first('id', 'price');
  const [order] = await db('orders')
    .insert({
      service_id: service.id,
      customer_name: 'Ada Byron',
      customer_email: 'ada@example.com',
      payment_method: 'stripe',
      amount: service.price,
      payment_facts: { disputes: { dp_1: { amount: service.price, outcome: 'won' } } },
    })
    .returning('id');
  return order.id;
}

/** As the previous version inserts. Returns how many were new. */
async function insertOld(emails: string[][]): Promise<number> {
  let inserted = 0;
  for (const [kind, subjectId] of emails) {
    const { rowCount } = await db.raw(
      'insert into emails (kind, subject_id) values (?, ?) on conflict (kind, subject_id) do nothing',
      [kind ?? '', subjectId ?? ''],
    );
    inserted += rowCount;
  }
  return inserted;
}

/** Every column of ours, and every constraint and index. */
async function schema(): Promise<unknown[]> {
  const { rows } = await db.raw(
    `select table_name as name, column_name || ' ' || data_type || ' ' || is_nullable || coalesce(column_default, '') as what
     from information_schema.columns where table_schema = 'public' and table_name not like 'schema_migrations%'
     union all
     select conrelid::regclass::text, pg_get_constraintdef(oid) from pg_constraint
     where connamespace = 'public'::regnamespace and contype <> 'n' and conrelid::regclass::text not like 'schema_migrations%'
     union all
     select tablename, indexdef from pg_indexes where schemaname = 'public' and tablename not like 'schema_migrations%'
     order by 1, 2`,
  );
  return rows;
}
