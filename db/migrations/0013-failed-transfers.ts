import type { Knex } from 'knex';

/** Payouts and refunds that a bank returned: open until staff dismiss them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`create table failed_transfers (
    id bigint generated always as identity primary key,
    kind text not null check (kind in ('payout', 'refund')),
    provider text not null,
    transfer_id text not null,
    order_id uuid references orders (id),
    amount bigint not null,
    currency text not null,
    reason text,
    failed_at timestamptz not null default now(),
    dismissed_at timestamptz,
    dismissed_because text,
    unique (provider, kind, transfer_id)
  )`);
  await knex.raw('create index failed_transfers_open on failed_transfers (id) where dismissed_at is null');
  await knex.raw(
    'create index failed_transfers_order on failed_transfers (order_id) where order_id is not null',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table failed_transfers');
}
