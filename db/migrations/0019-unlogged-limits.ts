import type { Knex } from 'knex';

/**
 * A counted request waits for no disk. After a crash or a failover of the database every client starts at zero, as after
 * one of a Redis that keeps nothing on disk.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table rate_limits set unlogged');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table rate_limits set logged');
}
