import type { OrderStatus } from '../core/orders.ts';
import type { Database } from '../db/database.ts';

/** Every move of the order, oldest first. */
export async function listOrderHistory(
  db: Database,
  orderId: string,
): Promise<
  { from: OrderStatus | null; to: OrderStatus; cause: string; paymentEventId: string | null; at: Date }[]
> {
  return db('order_history')
    .select({
      from: 'from_status',
      to: 'to_status',
      cause: 'cause',
      paymentEventId: 'payment_event_id',
      at: 'created_at',
    })
    .where({ order_id: orderId })
    .orderBy('id');
}
