import type { Knex } from 'knex';
import { buildIndex } from '../build-index.ts';

/**
 * The search for a part of a buyer's name reads the newest weeks first: each word is indexed after its order's week, which
 * begins on Monday (UTC). The former index goes at once: no release has searched by it. Each step can be repeated.
 */
export const config = { transaction: false };

const words = String.raw`btrim(regexp_replace(lower(left(customer_name, 200)),
  '[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\xbf\u058a\u05be\u060c\u2000-\u206f\u3000-\u303f\uff01-\uff0f]+', ' ', 'g'))`;
const week = `(((created_at at time zone 'UTC')::date - '2000-01-03'::date) / 7)::text || '/'`;

export async function up(knex: Knex): Promise<void> {
  await buildIndex(
    knex,
    'orders_name_weeks',
    `orders using gin (array_to_tsvector(string_to_array(
      ${week} || replace(nullif(${words}, ''), ' ', ' ' || ${week}), ' '))) with (fastupdate = off)`,
  );
  await knex.raw('drop index concurrently if exists orders_name');
}

export async function down(knex: Knex): Promise<void> {
  const name = `to_tsvector('simple', translate(customer_name, '.,''’-_/@()"&+:', repeat(' ', 14)))`;
  await buildIndex(knex, 'orders_name', `orders using gin (${name}) with (fastupdate = off)`);
  await knex.raw('drop index if exists orders_name_weeks');
}
