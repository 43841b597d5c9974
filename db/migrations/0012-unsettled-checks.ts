import type { Knex } from 'knex';
import { buildIndex } from '../build-index.ts';

/** The checks of unsettled orders are found without passing the settled ones that are due. */
export const config = { transaction: false };

const definition = `orders (next_check_at) where status in ('pending', 'processing', 'failed')`;

export async function up(knex: Knex): Promise<void> {
  await buildIndex(knex, 'orders_unsettled_check', definition);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index if exists orders_unsettled_check');
}
