import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createTestDatabase } from '../testing/databases.ts';
import { createDatabase, type Database } from './database.ts';
import { searchOrders } from './order-search.ts';

// A small generator with a fixed seed: a failure repeats.
let seed = 1;
const upTo = (limit: number) => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed % limit;
};
const oneOf = <T>(items: readonly T[]): T => items[upTo(items.length)] as T;

const words = [
  ...[
    'Ada',
    'ada',
    'Adele',
    'Byron',
    'By',
    'Quine',
    'Zoë',
    'MÜLLER',
    'Müll',
    'O',
    'Brien',
    'Ó',
    'Şen',
    'Łukasz',
  ],
  ...[
    '李',
    '李明',
    'Иван',
    'يوسف',
    '2nd',
    '3',
    'R2D2',
    '😀',
    'x'.repeat(90),
    'null',
    'a',
    'z',
    'Maria',
    'Marianne',
  ],
];
const separators = [
  ...[
    ' ',
    '  ',
    '-',
    "'",
    '’',
    '.',
    ', ',
    '_',
    '/',
    '@',
    '(',
    ')',
    '"',
    '&',
    '+',
    ':',
    ';',
    '*',
    '<b>',
    '\\',
  ],
  ...[
    '|',
    '!',
    '#',
    '%',
    '`',
    '~',
    '«',
    '·',
    '\u00a0',
    '\u2013',
    '\u3000',
    '\u05be',
    '$1',
    '\\1',
    '[',
    '^',
    '?',
  ],
];
const atSeparator = /[\s!-/:-@[-`{-~«·\u2013\u2019\u05be]+/;

let db: Database;
let orders: { id: string; name: string; at: Date; words: string[] }[];
beforeAll(async () => {
  db = createDatabase(await createTestDatabase(inject('postgresUrl')), { poolMax: 2 });
  // Several orders share a moment, and a third of them a word that no order of the last two years has.
  const names = Array.from({ length: 4_000 }, (_, n) => {
    const weeksAgo = upTo(156);
    const old = weeksAgo > 104 && n % 3 === 0 ? `${oneOf(separators)}Oldham` : '';
    return { name: makeName() + old, hours: weeksAgo * 168 + upTo(24) };
  });
  names.push(
    { name: '', hours: 1 },
    { name: '***', hours: 1 },
    { name: `${'é-'.repeat(100)}Late`, hours: 1 },
  );
  const { rows } = await db.raw(
    `insert into orders (service_id, customer_name, customer_email, payment_method, amount, created_at)
     select (select id from services limit 1), name, 'ada@example.com', 'stripe', 100,
       date_trunc('hour', now()) - hours * interval '1 hour'
     from json_to_recordset(?) as named (name text, hours int) returning id, customer_name as name, created_at as at`,
    [JSON.stringify(names)],
  );
  orders = rows.map((row: { name: string }) => ({ ...row, words: wordsOf(row.name) })).sort(newestFirst);
});
afterAll(() => db.destroy());

test('a search for a name finds what reading all orders finds, newest first, and says whether there are more', async () => {
  let found = 0;
  for (let n = 0; n < 150; n++) {
    const wanted = n % 8 === 0 ? makeName() : partsOf(oneOf(orders).name);
    const limit = oneOf([1, 5, 40, 100]);
    const expected = scan(wanted);
    const { orders: newest, isCut } = await searchOrders(db, { name: wanted }, limit);
    expect({ wanted, ids: newest.map(({ id }) => id), isCut }).toEqual({
      wanted,
      ids: expected.slice(0, limit),
      isCut: expected.length > limit,
    });
    found += newest.length;
  }
  expect(found).toBeGreaterThan(1_000);
});

test.each([
  'oldham',
  'OLD',
  'ada oldham',
  'oldham zzz',
  'a oldham byron',
  'ma',
  'm a o b z',
  'ada ada',
  'a ad ada',
  'é',
  'late',
  '',
  '***',
  `'`,
  `\\':* | !`,
])('finds the newest orders of %j', async (wanted) => {
  const expected = scan(wanted);
  const { orders: newest } = await searchOrders(db, { name: wanted }, 50);
  expect(newest.map(({ id }) => id)).toEqual(expected.slice(0, 50));
});

test('a search among no orders finds none', async () => {
  await expect(
    db.transaction(async (trx) => {
      await trx('orders').delete();
      expect(await searchOrders(trx, { name: 'ada byron' }, 10)).toEqual({ orders: [], isCut: false });
      throw new Error('roll back');
    }),
  ).rejects.toThrow('roll back');
});

function makeName(): string {
  const parts = Array.from({ length: 1 + upTo(4) }, () => oneOf(words));
  return parts.reduce((name, word) => name + oneOf(separators) + word);
}

/** Beginnings of some of its words, in another order. */
function partsOf(name: string): string {
  const some = wordsOf(name).filter(() => upTo(3) > 0);
  return some
    .reverse()
    .map((word) => [...word].slice(0, 1 + upTo(5)).join(''))
    .join(oneOf(separators));
}

function scan(wanted: string): string[] {
  const beginnings = wordsOf(wanted);
  if (beginnings.length === 0) return [];
  const matches = orders.filter((order) =>
    beginnings.every((beginning) => order.words.some((word) => word.startsWith(beginning))),
  );
  return matches.map(({ id }) => id);
}

/** The first 200 characters count. */
function wordsOf(name: string): string[] {
  return [...name].slice(0, 200).join('').toLowerCase().split(atSeparator).filter(Boolean);
}

function newestFirst(a: (typeof orders)[number], b: (typeof orders)[number]): number {
  return b.at.getTime() - a.at.getTime() || (a.id < b.id ? -1 : 1);
}
