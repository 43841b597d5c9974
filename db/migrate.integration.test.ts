import { expect, inject, test } from 'vitest';
import { createTestDatabase } from '../testing/databases.ts';
import { startTcpProxy } from '../testing/services/tcp-proxy.ts';
import { waitFor } from '../testing/wait-for.ts';
import { buildIndex } from './build-index.ts';
import { createDatabase, type Database } from './database.ts';
import { migrate, migrateBack } from './migrate.ts';

test('the previous release has nothing to migrate on a newer schema, and undoes none of it', async () => {
  await withDatabase(async (db, url) => {
    await db('schema_migrations').insert({ name: '9999-later', batch: 99, migration_time: new Date() });
    await db.raw('alter table orders add column later text');
    expect(await migrate(url)).toEqual([]);
    await expect(migrateBack(url)).rejects.toThrow('9999-later is of a later release');
  });
});

test('a migration waits briefly for a locked table, so that no query queues behind it for long, and retries', async () => {
  await withDatabase(async (db, url) => {
    const altering = '0007-growth';
    while (!(await migrateBack(url)).includes(altering));
    const buyer = await db.transaction();
    await buyer.raw('select * from orders limit 1');
    let tries = 0;
    const migrated = migrate(url, { onRetry: () => (tries += 1) });
    await waitFor('the lock is asked for', () => tries > 0);
    await db.transaction(async (trx) => {
      await trx.raw(`set local lock_timeout = '1s'`);
      await trx.raw('select * from orders limit 1');
    });
    await buyer.commit();
    expect(await migrated).toContain(altering);
  });
});

test('concurrent release steps apply each migration once, also after a kill', async () => {
  await withDatabase(async (db, url) => {
    const [newest] = await migrateBack(url);
    await db('schema_migrations_lock').update({ is_locked: 1 });
    expect((await Promise.all([migrate(url), migrate(url), migrate(url)])).flat()).toEqual([newest]);
  });
});

test('a migration may take longer than any statement of the product', async () => {
  await withDatabase(async (db, url) => {
    const [newest] = await migrateBack(url);
    await db.raw(`create function take_long() returns trigger language plpgsql as
      $$ begin perform pg_sleep(0.6); return new; end $$;
      create trigger take_long before insert on schema_migrations for each row execute function take_long();
      alter database ${new URL(url).pathname.slice(1)} set statement_timeout = '500ms'`);
    expect(await migrate(url)).toEqual([newest]);
  });
});

test('a release waits for a database that accepts connections late', async () => {
  await withDatabase(async (_db, url) => {
    const [newest] = await migrateBack(url);
    const late = new URL(url);
    const proxy = await startTcpProxy(Number(late.port), { delayMs: 3_500 });
    late.port = String(proxy.port);
    try {
      expect(await migrate(late.href)).toEqual([newest]);
    } finally {
      proxy.close();
    }
  });
});

test('an invalid index left by an interrupted build is rebuilt', async () => {
  await withDatabase(async (db) => {
    await db.raw('create index orders_halfway on orders (amount)');
    await db.raw(`update pg_index set indisvalid = false where indexrelid = 'orders_halfway'::regclass`);
    await buildIndex(db, 'orders_halfway', 'orders (amount)');
    const { rows } = await db.raw(
      `select indisvalid from pg_index where indexrelid = 'orders_halfway'::regclass`,
    );
    expect(rows).toEqual([{ indisvalid: true }]);
  });
});

async function withDatabase(use: (db: Database, url: string) => Promise<void>): Promise<void> {
  const url = await createTestDatabase(inject('postgresUrl'));
  const db = createDatabase(url, { poolMax: 4 });
  try {
    await use(db, url);
  } finally {
    await db.destroy();
  }
}
