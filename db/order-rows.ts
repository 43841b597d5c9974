import type { OrderStatus, PaymentMethod } from '../core/orders.ts';
import type { Database } from './database.ts';

/** An order in a list, with its cursor. */
export interface ListedOrder {
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
  cursor: string;
}

const columns = {
  id: 'orders.id',
  status: 'orders.status',
  amount: 'orders.amount',
  currency: 'orders.currency',
  serviceName: 'services.name',
  customerName: 'orders.customer_name',
  customerEmail: 'orders.customer_email',
  paymentMethod: 'orders.payment_method',
  paymentIntentId: 'orders.payment_intent_id',
  createdAt: 'orders.created_at',
} as const;

/** A Date has milliseconds, which several orders share. */
const CURSOR = `to_char(orders.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || orders.id`;

/** For `orders`, or a table with its `id` and `created_at`. */
export const newestFirst = (table: string) => `${table}.created_at desc, ${table}.id desc`;

/** Whether a row comes after the cursor `:time`, `:id` in that order. */
export const isFurther = (table: string) =>
  `(${table}.created_at, ${table}.id) < (cast(:time as timestamptz), cast(:id as uuid))`;

export function orderRows(db: Database) {
  return db('orders')
    .join('services', 'services.id', 'orders.service_id')
    .select(columns)
    .select({ cursor: db.raw(CURSOR) });
}

/** The time and the id of a cursor. */
export function placeOf(cursor: string): { time: string; id: string } {
  const [time = '', id = ''] = cursor.split('_');
  return { time, id };
}
