import type { Knex } from 'knex';
import { buildIndex } from '../build-index.ts';

/** Finds payments that their provider holds until we act, among those that only take time. */
export const config = { transaction: false };

const definition = `orders (updated_at) where status = 'processing' and payment_facts->'attempt'->>'heldFor' is not null`;

export async function up(knex: Knex): Promise<void> {
  await buildIndex(knex, 'orders_held', definition);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index if exists orders_held');
}
