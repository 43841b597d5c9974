import type { OrderFilters } from '../core/desk-orders.ts';
import type { Database } from '../db/database.ts';
import type { ListedOrder } from '../db/order-rows.ts';
import { type OrderQuery, searchOrders } from '../db/order-search.ts';

const ORDER_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Finds orders by e-mail address, name, payment, invoice or order id. Newest first, after a cursor. */
export async function findOrders(
  db: Database,
  text: string,
  filters: OrderFilters,
  after: string | undefined,
  limit: number,
): Promise<ListedOrder[]> {
  // The first interpretation that finds any order: a name may look like a payment's id.
  for (const query of interpretations(text)) {
    const found = await searchOrders(db, query, filters, after, limit);
    if (found.length > 0) return found;
  }
  return [];
}

/** An invoice number ends with the order's id. */
function interpretations(text: string): OrderQuery[] {
  const [orderId] = ORDER_ID.exec(text) ?? [];
  if (orderId) return [{ orderId }];
  if (text.includes('@')) return [{ email: text }];
  return [{ paymentId: text }, { name: text }];
}
