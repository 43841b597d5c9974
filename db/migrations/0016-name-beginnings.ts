import type { Knex } from 'knex';
import { buildIndex } from '../build-index.ts';

/**
 * Words that are each common but rarely on one order are found by their first three characters, each after its order's week:
 * unlike the beginnings of the words in `orders_name_weeks`, whole entries are intersected without collecting them first.
 */
export const config = { transaction: false };

const words = String.raw`nullif(btrim(regexp_replace(lower(left(customer_name, 200)),
  '[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\xbf\u058a\u05be\u060c\u2000-\u206f\u3000-\u303f\uff01-\uff0f]+', ' ', 'g')), '')`;
const beginnings = String.raw`regexp_replace(${words}, '([^ ]{3})[^ ]+', '\1', 'g')`;
const week = `(((created_at at time zone 'UTC')::date - '2000-01-03'::date) / 7)::text || '/'`;

export async function up(knex: Knex): Promise<void> {
  await buildIndex(
    knex,
    'orders_name_beginnings',
    `orders using gin (array_to_tsvector(string_to_array(
      ${week} || replace(${beginnings}, ' ', ' ' || ${week}), ' '))) with (fastupdate = off)`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index if exists orders_name_beginnings');
}
