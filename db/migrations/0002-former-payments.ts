import type { Knex } from 'knex';

/** Payments that were given up for another one of the same order: their late money must still find it (reliability.md F35). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`alter table orders add column former_payment_ids text[] not null default '{}'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table orders drop column former_payment_ids');
}
