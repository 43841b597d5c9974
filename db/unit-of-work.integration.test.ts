import { expect, test } from 'vitest';
import { withDatabase } from '../testing/with-database.ts';
import { transact } from './unit-of-work.ts';

const db = await withDatabase();

test('statements that are sent together are undone together if one of them fails', async () => {
  await db.raw('create table sent_together (id int primary key)');
  const insert = 'insert into sent_together values (?)';
  await db.raw(insert, [2]);
  const adding = transact(db, null, (trx) => Promise.all([1, 2, 3].map((id) => trx.raw(insert, [id]))));
  await expect(adding).rejects.toMatchObject({ code: '23505' });
  expect(await db('sent_together').pluck('id')).toEqual([2]);
  await transact(db, null, (trx) => Promise.all([3, 4].map((id) => trx.raw(insert, [id]))));
  expect(await db('sent_together').orderBy('id').pluck('id')).toEqual([2, 3, 4]);
});
