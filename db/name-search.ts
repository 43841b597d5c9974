import type { Database } from './database.ts';
import { endOf, type OrderCondition, startOf } from './order-filters.ts';
import { isFurther, newestFirst } from './order-rows.ts';

// Must be the expressions of migrations 0014 and 0016. A word ends at punctuation, whatever the database's locale.
const SEPARATORS = String.raw`[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\xbf\u058a\u05be\u060c\u2000-\u206f\u3000-\u303f\uff01-\uff0f]`;
const lowerCase = (name: string) => `lower(left(${name}, 200))`;
const wordsOf = (name: string) => `btrim(regexp_replace(${lowerCase(name)}, '${SEPARATORS}+', ' ', 'g'))`;
const weekOf = (time: string) => `(((${time} at time zone 'UTC')::date - '2000-01-03'::date) / 7)`;
const week = `${weekOf('created_at')}::text || '/'`;
const WORDS = `nullif(${wordsOf('customer_name')}, '')`;
const behindWeek = (words: string) =>
  `array_to_tsvector(string_to_array(${week} || replace(${words}, ' ', ' ' || ${week}), ' '))`;
const WEEK_WORDS = behindWeek(WORDS);
const WEEK_BEGINNINGS = behindWeek(`regexp_replace(${WORDS}, '([^ ]{3})[^ ]+', '\\1', 'g')`);

const MAX_INDEXED = 2;
/** A word this many times as common as the rarest one is faster found in the rows than in the index. */
const MAX_RATIO = 8;
const MAX_SAMPLED = 4;
const BEGINNING_LENGTH = 3;
/** Reading an order takes as long as collecting this many from the index of words. */
const COST_OF_READING = 20;
/** Fewer in the sample are collected fast enough. */
const MIN_COLLECTED = 20;
/** Up to this many orders, names are read instead of looked up. */
const MAX_READ = 2_000;

/** A query for `id` and `created_at`. */
export type Matching = [sql: string, bindings: Record<string, string | number | string[]>];

/**
 * Orders that pass the filter and in whose buyer's name words begin with these: the newest before `:time` and `:id`, at
 * most `:limit`. The index is read week by week, newest first, until there are enough, so a common word takes no longer than
 * a rare one, and a later page no longer than the first.
 */
export async function ordersByName(db: Database, name: string, filter: OrderCondition): Promise<Matching> {
  const words = await splitName(db, name);
  if (words.length > 0 && (await passFew(db, filter))) {
    const sql = `select id, created_at from orders
      where ${filter.sql} and ${lowerCase('customer_name')} ~ all(cast(:all as text[]))`;
    return [sql, { all: words.map(startOfWord), ...filter.bindings }];
  }
  if (words.length === 0) return ['select id, created_at from orders where false', {}];
  const { indexed, by } = await chooseIndex(db, words);
  const { only_from: from, only_to: to } = filter.bindings;
  return [
    `select found.*
     from (
       select ${weekOf(`least(max(created_at), cast(:time as timestamptz)${to ? `, ${endOf('only_to')}` : ''})`)},
         ${weekOf(`greatest(min(created_at)${from ? `, ${startOf('only_from')}` : ''})`)} from orders
     ) as kept (newest, oldest)
     cross join generate_series(newest, oldest, -1) as week
     cross join lateral (
       select id, created_at from (
         select id, created_at, status, payment_method, service_id from orders
         where ${by === 'words' ? WEEK_WORDS : WEEK_BEGINNINGS} @@ replace(:indexed, '#', week || '/')::tsquery
           and ${lowerCase('customer_name')} ~ all(cast(:others as text[]))
         offset 0) as orders
       where ${isFurther('orders')} and ${filter.sql} order by ${newestFirst('orders')} limit :limit) as found
     limit :limit`,
    {
      indexed: indexed.map((word) => (by === 'words' ? `'#${word}':*` : `'#${word}'`)).join(' & '),
      others: words.filter((word) => by === 'beginnings' || !indexed.includes(word)).map(startOfWord),
      ...filter.bindings,
    },
  ];
}

/** Whether so few orders pass the filter that reading all of them is faster than looking up a common name. */
async function passFew(db: Database, { sql, bindings }: OrderCondition): Promise<boolean> {
  if (sql === 'true') return false;
  const { rows } = await db.raw<{ rows: [{ count: number }] }>(
    `select count(*)::int as count from (select from orders where ${sql} limit ${MAX_READ + 1}) as passing`,
    bindings,
  );
  return rows[0].count <= MAX_READ;
}

async function splitName(db: Database, name: string): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { words: string[] }[] }>(
    `select string_to_array(${wordsOf(':name')}, ' ') as words`,
    { name },
  );
  return [...new Set(rows[0]?.words)];
}

/** What to look for: in one index beginnings of words, in the other whole entries of {@link BEGINNING_LENGTH} characters. */
interface IndexChoice {
  by: 'words' | 'beginnings';
  indexed: string[];
}

/**
 * By a sample of 2,000 orders of all times. The index of words collects all orders of a word before it intersects them with
 * another word's. The index of beginnings intersects without that, but each order that it finds has to be read.
 */
async function chooseIndex(db: Database, words: string[]): Promise<IndexChoice> {
  if (words.length === 1) return { by: 'words', indexed: words };
  const longest = words.toSorted((a, b) => b.length - a.length).slice(0, MAX_SAMPLED);
  const beginnings = beginningsOf(longest);
  const { rows } = await db.raw<{ rows: { orders: number; together: number }[] }>(
    `with sample as materialized (
       select ${lowerCase('customer_name')} as name
       from (select min(created_at), max(created_at) from orders) as kept (oldest, newest)
       cross join generate_series(0, 19) as part
       cross join lateral (
         select customer_name from orders where created_at >= oldest + (newest - oldest) / 20 * part
         order by created_at limit 100) as named)
     select (select count(*)::int from sample where name ~ word) as orders,
       (select count(*)::int from sample where name ~ all(cast(:beginnings as text[]))) as together
     from unnest(cast(:words as text[])) with ordinality as wanted (word, place) order by place`,
    { words: longest.map(startOfWord), beginnings: beginnings.map(startOfWord) },
  );
  const sampled = longest.map((word, n) => ({ word, orders: rows[n]?.orders ?? 0 }));
  sampled.sort((a, b) => a.orders - b.orders);
  const most = Math.max(sampled[0]?.orders ?? 0, 1) * MAX_RATIO;
  const chosen = sampled.filter(({ orders }) => orders <= most).slice(0, MAX_INDEXED);
  const collected = chosen.reduce((sum, { orders }) => sum + orders, 0);
  const isCollectingSlower = collected > MIN_COLLECTED + COST_OF_READING * (rows[0]?.together ?? 0);
  if (beginnings.length > 1 && isCollectingSlower) return { by: 'beginnings', indexed: beginnings };
  return { by: 'words', indexed: chosen.map(({ word }) => word) };
}

/** By characters, as PostgreSQL counts them. */
function beginningsOf(words: string[]): string[] {
  const characters = words.map((word) => [...word]).filter(({ length }) => length >= BEGINNING_LENGTH);
  return [...new Set(characters.map((word) => word.slice(0, BEGINNING_LENGTH).join('')))];
}

/** A word is safe in a pattern and in a tsquery: it has no punctuation. */
function startOfWord(word: string): string {
  return `(^|${SEPARATORS})${word}`;
}
