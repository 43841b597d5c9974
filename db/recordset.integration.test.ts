import { expect, test } from 'vitest';
import { withDatabase } from '../testing/with-database.ts';
import { recordset, recordsOf } from './recordset.ts';

const db = await withDatabase();

test.each([1, 20])('%i of 5,000 rows are found by their index', async (count) => {
  await db.transaction(async (trx) => {
    await trx.raw(`create temporary table jobs on commit drop as
      select id::bigint, 'open' as status, repeat('x', 200) as payload from generate_series(1, 5000) as id`);
    await trx.raw('create unique index on jobs (id)');
    await trx.raw('analyze jobs');
    const ended = Array.from({ length: count }, (_, index) => ({ id: 100 * index + 1 }));
    const { rows } = await trx.raw<{ rows: object[] }>(
      `explain (format json) with ended as (${recordset('id bigint')})
       update jobs set status = 'done' from ended where jobs.id = ended.id`,
      recordsOf(ended),
    );
    expect(JSON.stringify(rows)).toContain('"Index Scan"');
    expect(JSON.stringify(rows)).not.toContain('"Seq Scan"');
  });
});
