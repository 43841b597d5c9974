import type { Knex } from 'knex';
import { buildIndex } from '../build-index.ts';

/** Finds due checks of unsettled orders without reading the settled ones. */
export const config = { transaction: false };

const definition = `orders (next_check_at) where status in ('pending', 'processing', 'failed')`;

export async function up(knex: Knex): Promise<void> {
  await buildIndex(knex, 'orders_unsettled_check', definition);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index if exists orders_unsettled_check');
}
