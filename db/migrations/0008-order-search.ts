import type { Knex } from 'knex';
import { buildIndex } from '../build-index.ts';

/**
 * Indexes by which an operator finds an order: a word of the buyer's name, a payment that was replaced, or a charge or
 * capture. Each step can be repeated. Without GIN's list of pending entries no insert has to wait for its cleaning.
 */
export const config = { transaction: false };

const name = `to_tsvector('simple', translate(customer_name, '.,''’-_/@()"&+:', repeat(' ', 14)))`;

/** Facts with escapes that jsonb refuses are not searched. */
const captures = `(case when strpos(payment_facts::text, '\\u') = 0
  then jsonb_path_query_array(payment_facts::jsonb, '$.captures.*.captureId') end)`;

const indexes: Record<string, string> = {
  orders_name: `orders using gin (${name}) with (fastupdate = off)`,
  orders_former_payments: `orders using gin (former_payment_ids) with (fastupdate = off)
    where former_payment_ids <> '{}'`,
  orders_captures: `orders using gin (${captures} jsonb_path_ops) with (fastupdate = off)
    where payment_facts->>'captures' <> '{}'`,
};

export async function up(knex: Knex): Promise<void> {
  for (const [name, definition] of Object.entries(indexes)) await buildIndex(knex, name, definition);
}

export async function down(knex: Knex): Promise<void> {
  for (const name of Object.keys(indexes)) await knex.raw(`drop index if exists ${name}`);
}
