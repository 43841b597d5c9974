import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table backfills (
      provider text primary key check (provider ~ '^[a-z]{2,20}$'),
      next_at timestamptz not null default now(),
      fetched_until timestamptz
    )`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table backfills');
}
