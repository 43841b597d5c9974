import { randomBytes } from 'node:crypto';
import type { createClient } from '../db/database.ts';

const CHUNK = 20_000;

/**
 * Fills the database up to this many orders with all their rows, as three years of business and its retention leave them:
 * payloads of 180 days, recipients of 90, done jobs of 30. Goes on where an interrupted run stopped.
 */
export async function fill(client: ReturnType<typeof createClient>, orders: number): Promise<void> {
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
    select gen_random_uuid() as id, n, 'pi_bench' || n as payment, n % 10 as kind,
      now() - interval '1095 days' * (1 - n::float8 / $3::int) as at
    from generate_series($1::int, $2::int) as n),
  stored as (
    insert into orders (id, service_id, customer_name, customer_email, payment_method, payment_intent_id, amount, status,
      idempotency_key, created_at, updated_at, paid_at, next_check_at, version, erased_at)
    select id, (select id from services order by price limit 1), 'Buyer ' || n, 'buyer-' || n || '@example.com',
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
