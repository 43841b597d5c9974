import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createTestDatabase } from '../testing/databases.ts';
import { createDatabase, type Database } from './database.ts';
import { migrationSource } from './migrations/index.ts';
import { seedServices } from './services.ts';

let db: Database;
beforeAll(async () => {
  db = createDatabase(await createTestDatabase(inject('postgresUrl')), { poolMax: 2 });
});
afterAll(() => db.destroy());

test('the migrations go back one by one and forward again, to the same schema', async () => {
  const before = await schema();
  const names = await migrationSource.getMigrations([]);
  for (const name of [...names].reverse()) {
    const [, undone] = await db.migrate.down();
    expect(undone).toEqual([name]);
  }
  expect(await schema()).toEqual([]);

  const [, applied] = await db.migrate.latest();
  expect(applied).toEqual(names);
  expect(await schema()).toEqual(before);
  await seedServices(db);
  expect(await db('services').pluck('slug')).toHaveLength(4);
});

/** Every column of ours, and every constraint and index. */
async function schema(): Promise<unknown[]> {
  const { rows } = await db.raw(
    `select table_name as name, column_name || ' ' || data_type || ' ' || is_nullable || coalesce(column_default, '') as what
     from information_schema.columns where table_schema = 'public' and table_name not like 'schema_migrations%'
     union all
     select conrelid::regclass::text, pg_get_constraintdef(oid) from pg_constraint
     where connamespace = 'public'::regnamespace and contype <> 'n' and conrelid::regclass::text not like 'schema_migrations%'
     union all
     select tablename, indexdef from pg_indexes where schemaname = 'public' and tablename not like 'schema_migrations%'
     order by 1, 2`,
  );
  return rows;
}
