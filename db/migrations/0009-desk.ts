import type { Knex } from 'knex';
import { buildIndex } from '../build-index.ts';

/**
 * The desk: an append-only record of staff's actions, answered messages, and indexes for lists of orders
 * by state, by amount and by week, of enrollments and of subscribers. Each step can be repeated.
 */
export const config = { transaction: false };

const indexes: Record<string, string> = {
  orders_status_created: 'orders (status, created_at, id)',
  orders_amount_created: 'orders (amount, created_at, id)',
  orders_paid: 'orders (paid_at) include (amount, amount_refunded) where paid_at is not null',
  contact_messages_open: 'contact_messages (created_at, id) where answered_at is null',
  users_enrolled: `users (enrollment_completed_at, id) where enrollment_status = 'completed'`,
  newsletter_status: 'newsletter_subscriptions (status)',
};

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`create table if not exists desk_actions (
    id bigint generated always as identity primary key,
    at timestamptz not null default now(),
    user_id uuid not null,
    staff text not null,
    action text not null,
    order_id uuid references orders (id),
    subject text,
    reason text not null,
    details jsonb not null default '{}',
    request_id text,
    key uuid not null unique
  )`);
  await knex.raw(
    'create index if not exists desk_actions_order on desk_actions (order_id, id) where order_id is not null',
  );
  await knex.raw(`create or replace function refuse_change() returns trigger language plpgsql as $$
    begin raise exception '% is append-only', tg_table_name; end $$`);
  await knex.raw(`create or replace trigger desk_actions_append_only
    before update or delete or truncate on desk_actions for each statement execute function refuse_change()`);
  await knex.raw('alter table contact_messages add column if not exists answered_at timestamptz');
  for (const [name, definition] of Object.entries(indexes)) await buildIndex(knex, name, definition);
}

export async function down(knex: Knex): Promise<void> {
  for (const name of Object.keys(indexes)) await knex.raw(`drop index if exists ${name}`);
  await knex.raw('alter table contact_messages drop column if exists answered_at');
  await knex.raw('drop table if exists desk_actions');
  await knex.raw('drop function if exists refuse_change()');
}
