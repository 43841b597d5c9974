import type { OrderFilters } from '../core/desk-orders.ts';
import { HELD_ORDERS } from './attention.ts';
import type { Database } from './database.ts';
import { type Matching, ordersByName } from './name-search.ts';
import { conditionOf } from './order-filters.ts';
import { isFurther, type ListedOrder, newestFirst, orderRows, placeOf } from './order-rows.ts';

/** What to search for. Names match by word prefixes, in any order. */
export type OrderQuery =
  | { orderId: string }
  | { email: string }
  | { paymentId: string }
  | { name: string }
  | { status: AttentionStatus };

/** Orders that need a person. `held`: the provider holds the payment until we act. */
export const attentionStatuses = ['review', 'disputed', 'held'] as const;
type AttentionStatus = (typeof attentionStatuses)[number];

// Must be the expression that migration 0008 indexes.
const CAPTURES = `(case when strpos(payment_facts::text, '\\u') = 0
  then jsonb_path_query_array(payment_facts::jsonb, '$.captures.*.captureId') end)`;

/** Later than every order. */
const START = '9999-12-31T23:59:59.999999Z_ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Orders that match and pass the filters, newest first, after a cursor. Every search uses an index. */
export async function searchOrders(
  db: Database,
  query: OrderQuery,
  filters: OrderFilters,
  after: string | undefined,
  limit: number,
): Promise<ListedOrder[]> {
  const filter = await conditionOf(db, filters);
  const [matching, bindings] =
    'name' in query ? await ordersByName(db, query.name, filter) : matchingOrders(query);
  const place = placeOf(after ?? START);
  const page = db('matching')
    .select('matching.id')
    .whereRaw(isFurther('matching'), place)
    .orderByRaw(newestFirst('matching'))
    .limit(limit);
  if (!('name' in query) && Object.keys(filters).length > 0) {
    page.join('orders', 'orders.id', 'matching.id').whereRaw(filter.sql, filter.bindings);
  }
  return orderRows(db)
    .withMaterialized('matching', db.raw(matching, { ...bindings, ...place, limit }))
    .withMaterialized('page', page)
    .join('page', 'page.id', 'orders.id')
    .orderByRaw(newestFirst('orders'));
}

function matchingOrders(query: Exclude<OrderQuery, { name: string }>): Matching {
  if ('orderId' in query) return ['select id, created_at from orders where id = :orderId', query];
  if ('email' in query) {
    return [
      `select id, created_at from orders where lower(customer_email) = lower(:email)
       union
       select orders.id, orders.created_at from users join orders on user_id = users.id where lower(email) = lower(:email)`,
      query,
    ];
  }
  if ('paymentId' in query) {
    return [
      `select id, created_at from orders where payment_intent_id = :paymentId
       union
       select id, created_at from orders where former_payment_ids <> '{}' and former_payment_ids @> array[cast(:paymentId as text)]
       union
       select id, created_at from orders
       where payment_facts->>'captures' <> '{}' and ${CAPTURES} @> to_jsonb(cast(:paymentId as text))`,
      query,
    ];
  }
  if (query.status === 'held') return [`select id, created_at from ${HELD_ORDERS}`, {}];
  return [
    `select id, created_at from orders where status in ('review', 'disputed') and status = :status`,
    query,
  ];
}
