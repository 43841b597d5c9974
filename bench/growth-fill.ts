import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { freePort } from '@querywright/sandbox/listen';
import { type PostgresServer, startPostgres } from '@querywright/sandbox/postgres';
import { runMigrations } from 'bullmq';
import { createClient, createDatabase } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { seedServices } from '../db/services.ts';
import { drawNames } from './growth-names.ts';

const CHUNK = 20_000;

/** The server whose filled databases stay in .data/growth. */
export async function startGrowthPostgres(): Promise<PostgresServer> {
  return startPostgres({
    folder: path.resolve('.data/growth/postgres'),
    port: await freePort(),
    settings: {
      shared_buffers: '3GB',
      max_wal_size: '8GB',
      checkpoint_timeout: '30min',
      full_page_writes: 'off',
      wal_level: 'minimal',
      max_wal_senders: '0',
    },
  });
}

/** Creates or completes the database of this many orders. Returns its name. */
export async function ensureFilled(postgres: PostgresServer, orders: number): Promise<string> {
  const name = `growth_${orders}`;
  await asAdmin(postgres, async (admin) => {
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await admin.query(`create database ${name}`);
  });
  await migrate(postgres.url(name));
  const db = createDatabase(postgres.url(name), { poolMax: 1 });
  await seedServices(db);
  await db.destroy();
  const client = createClient(postgres.url(name), 'bench');
  await client.connect();
  await fill(client, orders);
  await runMigrations(client);
  await client.end();
  return name;
}

export async function asAdmin(
  postgres: PostgresServer,
  work: (admin: ReturnType<typeof createClient>) => Promise<void>,
): Promise<void> {
  const admin = createClient(postgres.url('postgres'), 'bench');
  await admin.connect();
  await work(admin);
  await admin.end();
}

/** Fills up to this many orders as three years of business and retention leave them. Resumes if interrupted. */
async function fill(client: ReturnType<typeof createClient>, orders: number): Promise<void> {
  await client.query('create table if not exists bench_filled (orders integer not null)');
  const { rows } = await client.query('select coalesce(max(orders), 0) as filled from bench_filled');
  const start: number = rows[0].filled;
  for (let from = start; from < orders; from += CHUNK) {
    const to = Math.min(from + CHUNK, orders);
    const payload = JSON.stringify({ data: randomBytes(1_500).toString('base64') });
    await client.query('begin');
    await client.query(chunk, [from + 1, to, orders, payload]);
    await client.query('insert into bench_filled values ($1)', [to]);
    await client.query('commit');
    process.stderr.write(`\r${to} of ${orders} orders`);
  }
  if (start >= orders) return;
  process.stderr.write('\n');
  await client.query('vacuum analyze');
}

const chunk = `
  with made as (
    select gen_random_uuid() as id, n, name, 'pi_bench' || n as payment, n % 10 as kind,
      now() - interval '1095 days' * (1 - n::float8 / $3::int) as at
    from (${drawNames('$1::int', '$2::int', '$3::int')}) as named),
  stored as (
    insert into orders (id, service_id, customer_name, customer_email, payment_method, payment_intent_id, amount, status,
      idempotency_key, created_at, updated_at, paid_at, next_check_at, version, erased_at)
    select id, (select id from services order by price limit 1), name, 'buyer-' || n || '@example.com',
      case when kind < 5 then 'stripe' else 'paypal' end, payment, 299900,
      case when kind = 9 then 'canceled' else 'paid' end, id::text, at, at,
      case when kind < 9 then at end, case when kind < 9 and at > now() - interval '180 days' then now() + interval '7 days' end, 2,
      case when kind = 9 and at < now() - interval '30 days' then at end
    from made returning id),
  event as (
    insert into payment_events (provider, event_id, type, payload, status, order_id, received_at, processed_at, emptied_at)
    select case when kind < 5 then 'stripe' else 'paypal' end, 'evt_bench' || n || '_' || copy, 'payment_intent.succeeded',
      case when at > now() - interval '180 days' then $4::json else '{}' end, 'processed', made.id, at, at,
      case when at > now() - interval '180 days' then null else at end
    from made, generate_series(1, 2) as copy returning id),
  history as (
    insert into order_history (order_id, from_status, to_status, cause, created_at)
    select id, null, 'pending', 'order created', at from made
    union all
    select id, 'pending', case when kind = 9 then 'canceled' else 'paid' end, 'webhook', at from made returning id),
  mail as (
    insert into emails (kind, dedupe_key, order_id, recipient, message_id, status, attempts, created_at, sent_at)
    select kind_of, made.id::text, made.id, case when at > now() - interval '90 days' then 'buyer-' || n || '@example.com' end,
      '<' || kind_of || '.' || made.id || '@example.com>', 'sent', 1, at, at
    from made, unnest(array['order_confirmation', 'order_notice']) as kind_of where kind < 9 returning id)
  insert into outbox (job, queue, payload, status, created_at, due_at, done_at)
  select 'apply-payment-event', 'payments', jsonb_build_object('eventId', n::text), 'done', at, at, at
  from made, generate_series(1, 4) where at > now() - interval '30 days'`;
