import { expect, inject, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../testing/databases.ts';
import { waitFor } from '../testing/wait-for.ts';
import { withDatabase } from '../testing/with-database.ts';
import { recordset, runBatch, selectBatch } from './batch-sql.ts';
import { createDatabase } from './database.ts';

const db = await withDatabase();

test.each([1, 2, 20])('%i of 5,000 rows are found by their index', async (count) => {
  await db.transaction(async (trx) => {
    await trx.raw(`create temporary table jobs on commit drop as
      select id::bigint, 'open' as status, repeat('x', 200) as payload from generate_series(1, 5000) as id`);
    await trx.raw('create unique index on jobs (id)');
    await trx.raw('analyze jobs');
    const ended = Array.from({ length: count }, (_, index) => ({ id: 100 * index + 1 }));
    const { rows } = await trx.raw<{ rows: object[] }>(
      `explain (format json) with ended as (${recordset('id bigint', ended)})
       update jobs set status = 'done' from ended where jobs.id = ended.id`,
      { records: JSON.stringify(ended), count },
    );
    expect(JSON.stringify(rows)).toContain('"Index Scan"');
    expect(JSON.stringify(rows)).not.toContain('"Seq Scan"');
  });
});

test.each([
  ['once per connection, if they are for one item', false, [1], 2],
  ['once for two to four items', false, [2, 3, 4], 2],
  ['once for five to sixteen items', false, [5, 16], 2],
  ['once for 17 to 32 items', false, [17, 32], 2],
  ['not, if they are for more items', false, [33], 0],
  ['not, if a pooler may run the next one elsewhere', true, [1], 0],
])('statements are prepared %s', async (_, isPooled, counts, expected) => {
  const fresh = createDatabase(await createTestDatabase(inject('postgresUrl')), { isPooled });
  onTestFinished(() => fresh.destroy());
  await waitFor('it is connected', () => fresh.raw('select'));
  await fresh.transaction(async (trx) => {
    for (const count of [...counts, ...counts]) {
      const items = Array.from({ length: count }, (_, id) => ({ id }));
      expect(await runBatch(trx, items, recordset('id int', items))).toEqual(items);
      const ids = items.map(({ id }) => String(id));
      await selectBatch(trx, ids, (isOneOf) => `select id from outbox where id ${isOneOf}`);
    }
    const { rows } = await trx.raw<{ rows: object[] }>('select from pg_prepared_statements');
    expect(rows).toHaveLength(expected);
  });
});
