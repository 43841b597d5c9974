import type { OrderStatus, PaymentMethod } from '../core/orders.ts';
import type { Database } from './database.ts';

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
  /** How many match, up to {@link MAX_MATCHES}. */
  matches: number;
}

/** More matches are not counted, and the newest may not be among those that were. */
export const MAX_MATCHES = 1_000;

// The texts of the indexes of migration 0008.
const SEPARATORS = `.,'’-_/@()"&+:`;
const NAME = `to_tsvector('simple', translate(customer_name, '.,''’-_/@()"&+:', repeat(' ', 14)))`;
const CAPTURES = `(case when strpos(payment_facts::text, '\\u') = 0
  then jsonb_path_query_array(payment_facts::jsonb, '$.captures.*.captureId') end)`;

/** The newest orders that match, at most `limit`. Every look-up is by an index. */
export async function searchOrders(db: Database, query: OrderQuery, limit: number): Promise<FoundOrders> {
  const [matching, bindings] = matchingOrders(query);
  const { rows } = await db.raw<{ rows: (FoundOrder & { matches: number })[] }>(
    `with matching as materialized (select id from (${matching}) as found limit :max)
     select o.id, o.status, o.amount, o.currency, s.name as "serviceName", o.customer_name as "customerName",
       o.customer_email as "customerEmail", o.payment_method as "paymentMethod",
       o.payment_intent_id as "paymentIntentId", o.created_at as "createdAt", count(*) over ()::int as matches
     from matching join orders o on o.id = matching.id join services s on s.id = o.service_id
     order by o.created_at desc, o.id limit :limit`,
    { ...bindings, limit, max: MAX_MATCHES },
  );
  return { orders: rows.map(({ matches: _, ...order }) => order), matches: rows[0]?.matches ?? 0 };
}

function matchingOrders(query: OrderQuery): [sql: string, bindings: Record<string, string>] {
  if ('orderId' in query) return ['select id from orders where id = :orderId', query];
  if ('email' in query) {
    return [
      `select id from orders where lower(customer_email) = lower(:email)
       union
       select orders.id from users join orders on user_id = users.id where lower(email) = lower(:email)`,
      query,
    ];
  }
  if ('paymentId' in query) {
    return [
      `select id from orders where payment_intent_id = :paymentId
       union
       select id from orders where former_payment_ids <> '{}' and former_payment_ids @> array[cast(:paymentId as text)]
       union
       select id from orders
       where payment_facts->>'captures' <> '{}' and ${CAPTURES} @> to_jsonb(cast(:paymentId as text))`,
      query,
    ];
  }
  if ('status' in query)
    return [`select id from orders where status in ('review', 'disputed') and status = :status`, query];
  return [
    `select id from orders where ${NAME} @@ to_tsquery('simple', :words)`,
    { words: words(query.name) },
  ];
}

/** 'Ada Lov' as `'ada':* & 'lov':*`. */
function words(name: string): string {
  const parts = [...name].map((letter) => (SEPARATORS.includes(letter) ? ' ' : letter)).join('');
  return parts
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => `'${word.replaceAll('\\', '\\\\')}':*`)
    .join(' & ');
}
