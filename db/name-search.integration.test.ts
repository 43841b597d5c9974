import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { OrderFilters } from '../core/desk-orders.ts';
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
    // Common apart, rare together; some begin alike.
    ...Array.from({ length: 600 }, (_, n) => ({
      name: n % 100 === 0 ? 'Kowalsky-Núñez' : oneOf(['Kowalski J.', 'Kowa', 'Núñez', 'Núria']),
      hours: upTo(156 * 168),
    })),
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

test('a search for a name finds, page by page, what reading all orders finds, newest first', async () => {
  let found = 0;
  let pages = 0;
  for (let n = 0; n < 80; n++) {
    const wanted = n % 8 === 0 ? makeName() : partsOf(oneOf(orders).name);
    const limit = oneOf([1, 5, 40, 100]);
    const expected = scan(wanted);
    const ids: string[] = [];
    for (let after: string | undefined, length = limit; length === limit && ids.length < 4 * limit; pages++) {
      const page = await searchOrders(db, { name: wanted }, {}, after, limit);
      ids.push(...page.map(({ id }) => id));
      after = page.at(-1)?.cursor;
      length = page.length;
    }
    expect({ wanted, ids }).toEqual({ wanted, ids: expected.slice(0, Math.max(ids.length, 4 * limit)) });
    found += ids.length;
  }
  expect(found).toBeGreaterThan(1_000);
  expect(pages).toBeGreaterThan(160);
});

/** The day so many weeks ago, in UTC. */
function dayOf(weeksAgo: number): string {
  return new Date(Date.now() - weeksAgo * 604_800_000).toISOString().slice(0, 10);
}

test.each<OrderFilters>([
  { from: dayOf(30), to: dayOf(20) },
  { from: dayOf(120) },
  { to: dayOf(110), status: 'paid' },
  { method: 'paypal' },
  { from: dayOf(-9), method: 'stripe' },
])('a search within %j finds what reading these orders finds', async (filters) => {
  const { from = '0001-01-01', to = '9999-12-31', status = 'pending', method = 'stripe' } = filters;
  const within = new Set(
    orders
      .filter(({ at }) => at.toISOString() >= from && at.toISOString().slice(0, 10) <= to)
      .map(({ id }) => id),
  );
  const isOther = status !== 'pending' || method !== 'stripe';
  for (const wanted of ['a', 'oldham', partsOf(oneOf(orders).name)]) {
    const expected = isOther ? [] : scan(wanted).filter((id) => within.has(id));
    const found = await searchOrders(db, { name: wanted }, filters, undefined, 50);
    expect(found.map(({ id }) => id)).toEqual(expected.slice(0, 50));
  }
});

test('a search may begin between orders, before the first one or after the last one', async () => {
  const all = scan('a');
  const middle = orders.find(({ id }) => id === all[100]);
  const place = (at: string) => `${at}_00000000-0000-4000-8000-000000000000`;
  const after = async (cursor: string) =>
    (await searchOrders(db, { name: 'a' }, {}, cursor, 5)).map(({ id }) => id);
  const older = all.filter((id) => orders.some((order) => order.id === id && order.at < (middle?.at ?? 0)));
  expect(await after(place(middle?.at.toISOString().replace('Z', '000Z') ?? ''))).toEqual(older.slice(0, 5));
  expect(await after(place('9999-12-31T23:59:59.999999Z'))).toEqual(all.slice(0, 5));
  expect(await after(place('0001-01-01T00:00:00.000000Z'))).toEqual([]);
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
  'kow núñ',
  'núñez kowalski j',
  'kowalski nú',
  '',
  '***',
  `'`,
  `\\':* | !`,
])('finds the newest orders of %j', async (wanted) => {
  const expected = scan(wanted);
  const newest = await searchOrders(db, { name: wanted }, {}, undefined, 50);
  expect(newest.map(({ id }) => id)).toEqual(expected.slice(0, 50));
});

test('words that are common but rarely on one order are looked up together', async () => {
  await db.transaction(async (trx) => {
    expect(await searchOrders(trx, { name: 'kowalski núñez' }, {}, undefined, 10)).toEqual([]);
    const { rows } = await trx.raw(
      `select pg_stat_get_xact_numscans('orders_name_beginnings'::regclass)::int as "lookUps"`,
    );
    expect(rows[0].lookUps).toBeGreaterThan(0);
  });
});

test('a search among no orders finds none', async () => {
  await expect(
    db.transaction(async (trx) => {
      await trx('orders').delete();
      expect(await searchOrders(trx, { name: 'ada byron' }, {}, undefined, 10)).toEqual([]);
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
  return b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -1);
}
