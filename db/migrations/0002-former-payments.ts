import type { Knex } from 'knex';

/**
 * `former_payment_ids`: payments replaced by another one of the same order; their late money must still find it.
 * `version`: counts the changes, so that an order can be settled without locking it first.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table orders
      add column former_payment_ids text[] not null default '{}',
      add column version integer not null default 0`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table orders drop column former_payment_ids, drop column version');
}
