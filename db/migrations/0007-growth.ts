import type { Knex } from 'knex';
import { buildIndex } from '../build-index.ts';

/** Indexes for queries on growing tables, and the columns that retention needs. Each step can be repeated. */
export const config = { transaction: false };

/** The object that a job is about. */
const subject = `coalesce(payload->>'eventId', payload->>'emailId', payload->>'orderId')`;

const indexes: Record<string, string> = {
  outbox_done: `outbox (done_at) where status = 'done'`,
  outbox_subject: `outbox ((${subject}))`,
  payment_events_unprocessed: `payment_events (status, id) where status <> 'processed'`,
  payment_events_full: 'payment_events (status, received_at) where emptied_at is null',
  orders_created: 'orders (created_at, id)',
  orders_attention: `orders (status) where status in ('review', 'disputed')`,
  orders_email: 'orders (lower(customer_email))',
  orders_abandoned: `orders (created_at) where status = 'canceled' and paid_at is null and erased_at is null`,
  emails_recipient: 'emails (lower(recipient)) where recipient is not null',
  emails_sent: 'emails (sent_at) where recipient is not null',
  users_email_lower: 'users (lower(email))',
  sessions_user: `sessions ((sess->>'userId'))`,
  newsletter_email_lower: 'newsletter_subscriptions (lower(email))',
  newsletter_pending: `newsletter_subscriptions (confirmation_sent_at) where status = 'pending'`,
  contact_messages_created: 'contact_messages (created_at)',
  contact_messages_email: 'contact_messages (lower(email))',
};

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table orders add column if not exists erased_at timestamptz');
  await knex.raw('alter table payment_events add column if not exists emptied_at timestamptz');
  await knex.raw(`create table if not exists schedules (
    name text primary key,
    next_at timestamptz not null
  )`);
  for (const [name, definition] of Object.entries(indexes)) await buildIndex(knex, name, definition);
}

export async function down(knex: Knex): Promise<void> {
  for (const name of Object.keys(indexes)) await knex.raw(`drop index if exists ${name}`);
  await knex.raw('drop table if exists schedules');
  await knex.raw('alter table payment_events drop column if exists emptied_at');
  await knex.raw('alter table orders drop column if exists erased_at');
}
