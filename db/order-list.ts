import type { OrderFilters, SalesWeek } from '../core/desk-orders.ts';
import type { Database } from './database.ts';
import { conditionOf } from './order-filters.ts';
import { isFurther, type ListedOrder, newestFirst, orderRows, placeOf } from './order-rows.ts';

/** Orders that pass the filters, newest first, after a cursor. Always served by an index. */
export async function listOrders(
  db: Database,
  filters: OrderFilters & { amount?: number | undefined },
  after: string | undefined,
  limit: number,
): Promise<ListedOrder[]> {
  const { sql, bindings } = await conditionOf(db, filters);
  const orders = orderRows(db).whereRaw(sql, bindings).orderByRaw(newestFirst('orders')).limit(limit);
  if (after) orders.whereRaw(isFurther('orders'), placeOf(after));
  return orders;
}

/**
 * Orders placed since shortly before this place, oldest first: one that commits late has an earlier time. The newest ones
 * if there are more than `limit`.
 */
export async function listNewOrders(db: Database, since: string, limit: number): Promise<ListedOrder[]> {
  const newest = await orderRows(db)
    .whereRaw(`orders.created_at > ?::timestamptz - interval '5 seconds'`, [placeOf(since).time])
    .orderByRaw(newestFirst('orders'))
    .limit(limit);
  return newest.reverse();
}

export async function findListedOrder(db: Database, id: string): Promise<ListedOrder | undefined> {
  return orderRows(db).where('orders.id', id).first();
}

export async function readSalesWeeks(db: Database, weeks: number): Promise<SalesWeek[]> {
  const { rows } = await db.raw<{ rows: SalesWeek[] }>(
    `with week as (
       select generate_series(this - (:weeks - 1) * interval '1 week', this, interval '1 week') as start
       from (select date_trunc('week', now() at time zone 'UTC') as this) as current)
     select to_char(start, 'YYYY-MM-DD') as week, sold.*
     from week cross join lateral (
       select count(*)::int as orders, coalesce(sum(amount - amount_refunded), 0)::float8 as revenue
       from orders where paid_at >= start at time zone 'UTC'
         and paid_at < (start + interval '1 week') at time zone 'UTC') as sold
     order by start`,
    { weeks },
  );
  return rows;
}
