import type { Knex } from 'knex';

/** Queries queue behind a statement that waits for a lock, so a migration waits only this long, then retries. */
export const LOCK_TIMEOUT = '500ms';

/** Builds an index while the table is read and written. An invalid index left by an interrupted build is rebuilt. */
export async function buildIndex(knex: Knex, name: string, definition: string): Promise<void> {
  const { rows } = await knex.raw('select indisvalid from pg_index where indexrelid = to_regclass(?)', [
    name,
  ]);
  if (rows[0]?.indisvalid) return;
  // A concurrent build waits for older transactions, but nothing waits for it.
  await knex.raw('set lock_timeout = 0');
  await knex.raw(`drop index concurrently if exists ${name}`);
  await knex.raw(`create index concurrently ${name} on ${definition}`);
  await knex.raw(`set lock_timeout = '${LOCK_TIMEOUT}'`);
}
