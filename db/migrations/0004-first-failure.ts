import type { Knex } from 'knex';

/** The time limit of a failing job counts from its first failure, by the database's clock. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table outbox add column first_failed_at timestamptz;
    update outbox set first_failed_at = now() where status = 'open' and attempts > 0;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table outbox drop column first_failed_at');
}
