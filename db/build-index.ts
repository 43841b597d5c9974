import type { Knex } from 'knex';

/** A statement that waits for a lock has everyone else wait behind it: a migration waits shortly, and again. */
export const LOCK_TIMEOUT = '500ms';

/** Builds an index while the table is read and written; what an interrupted try left is built again. */
export async function buildIndex(knex: Knex, name: string, definition: string): Promise<void> {
  const { rows } = await knex.raw('select indisvalid from pg_index where indexrelid = to_regclass(?)', [
    name,
  ]);
  if (rows[0]?.indisvalid) return;
  // It waits for transactions that are older, and no one waits for it.
  await knex.raw('set lock_timeout = 0');
  await knex.raw(`drop index concurrently if exists ${name}`);
  await knex.raw(`create index concurrently ${name} on ${definition}`);
  await knex.raw(`set lock_timeout = '${LOCK_TIMEOUT}'`);
}
