import type { Knex } from 'knex';

/** The rows that one job of the queue delivers. Nullable without a default: the table is not rewritten. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table outbox add column bundle uuid');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table outbox drop column bundle');
}
