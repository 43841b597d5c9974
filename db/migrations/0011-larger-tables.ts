import type { Knex } from 'knex';
import { buildIndex } from '../build-index.ts';

/**
 * Indexes for the desk's lists by service and by payment method, however rare. Statistics for an expression that has only a
 * partial index: without them the planner overestimates its matches and reads all recipients. Each step can be repeated.
 */
export const config = { transaction: false };

const indexes: Record<string, string> = {
  orders_service_created: 'orders (service_id, created_at, id)',
  orders_method_created: 'orders (payment_method, created_at, id)',
};

export async function up(knex: Knex): Promise<void> {
  for (const [name, definition] of Object.entries(indexes)) await buildIndex(knex, name, definition);
  await knex.raw('drop index concurrently if exists orders_service');
  await knex.raw('create statistics if not exists emails_recipient on lower(recipient) from emails');
  await knex.raw('analyze emails');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop statistics if exists emails_recipient');
  await buildIndex(knex, 'orders_service', 'orders (service_id)');
  for (const name of Object.keys(indexes)) await knex.raw(`drop index if exists ${name}`);
}
