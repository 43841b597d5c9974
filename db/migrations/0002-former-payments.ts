import type { Knex } from 'knex';

/**
 * `former_payment_ids`: payments given up for another one of the same order, whose late money must still find it
 * (reliability.md F35). `version`: counts the moves, so that an order can be settled without locking it first.
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
