import type { Knex } from 'knex';

/** The trace that a job continues. Nullable without a default: the table is not rewritten. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table outbox add column traceparent text');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table outbox drop column traceparent');
}
