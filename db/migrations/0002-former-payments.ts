import type { Knex } from 'knex';

/** `former_payment_ids`: replaced payments, whose late money must find its order. `version`: for optimistic settling. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table orders
      add column former_payment_ids text[] not null default '{}',
      add column version integer not null default 0`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table orders drop column former_payment_ids, drop column version');
}
