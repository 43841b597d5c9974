import type { OrderStatus, PaymentMethod } from '../core/orders.ts';
import type { Database } from './database.ts';
import { type Matching, ordersByName } from './name-search.ts';

/** What to look for. Names are found by the beginnings of their words, in any order. */
export type OrderQuery =
  | { orderId: string }
  | { email: string }
  | { paymentId: string }
  | { name: string }
  | { status: AttentionStatus };

/** The orders that wait for a person. */
export const attentionStatuses = ['review', 'disputed'] as const;
type AttentionStatus = (typeof attentionStatuses)[number];

export interface FoundOrder {
  id: string;
  status: OrderStatus;
  amount: number;
  currency: string;
  serviceName: string;
  customerName: string;
  customerEmail: string;
  paymentMethod: PaymentMethod;
  paymentIntentId: string | null;
  createdAt: Date;
}

export interface FoundOrders {
  orders: FoundOrder[];
  /** Whether older ones match, too. */
  isCut: boolean;
}

// The text of the index of migration 0008.
const CAPTURES = `(case when strpos(payment_facts::text, '\\u') = 0
  then jsonb_path_query_array(payment_facts::jsonb, '$.captures.*.captureId') end)`;

/** The newest orders that match, at most `limit`. Every look-up is by an index. */
export async function searchOrders(db: Database, query: OrderQuery, limit: number): Promise<FoundOrders> {
  const [matching, bindings] = 'name' in query ? await ordersByName(db, query.name) : matchingOrders(query);
  const { rows } = await db.raw<{ rows: FoundOrder[] }>(
    `with matching as materialized (${matching}),
       newest as materialized (select id from matching order by created_at desc, id limit :limit)
     select o.id, o.status, o.amount, o.currency, s.name as "serviceName", o.customer_name as "customerName",
       o.customer_email as "customerEmail", o.payment_method as "paymentMethod",
       o.payment_intent_id as "paymentIntentId", o.created_at as "createdAt"
     from newest join orders o on o.id = newest.id join services s on s.id = o.service_id
     order by o.created_at desc, o.id`,
    { ...bindings, limit: limit + 1 },
  );
  return { orders: rows.slice(0, limit), isCut: rows.length > limit };
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
  return [
    `select id, created_at from orders where status in ('review', 'disputed') and status = :status`,
    query,
  ];
}
