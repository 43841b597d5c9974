import type { Knex } from 'knex';
import { buildIndex } from '../build-index.ts';

/** Finds orders with an open dispute, whatever their status. */
export const config = { transaction: false };

const definition = `orders (id) where (payment_facts->'disputes')::text like '%"open"%'`;

export async function up(knex: Knex): Promise<void> {
  await buildIndex(knex, 'orders_open_dispute', definition);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index if exists orders_open_dispute');
}
