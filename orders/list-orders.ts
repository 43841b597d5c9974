import { amountOf, type OrderListRequest, type OrderPage, type OrderRow } from '../core/desk-orders.ts';
import { PAGE_SIZE, pageOf } from '../core/list-page.ts';
import type { Database } from '../db/database.ts';
import { listOrders } from '../db/order-list.ts';
import type { ListedOrder } from '../db/order-rows.ts';
import { findOrders } from './find-orders.ts';

/** A page of the orders that pass the filters and match the text, if any. */
export async function readOrderPage(
  db: Database,
  { text, after, ...filters }: OrderListRequest,
): Promise<OrderPage> {
  const amount = text ? amountOf(text) : undefined;
  const isSearch = text && amount === undefined;
  const found = isSearch
    ? await findOrders(db, text, filters, after, PAGE_SIZE + 1)
    : await listOrders(db, { ...filters, amount }, after, PAGE_SIZE + 1);
  const { rows, next } = pageOf(found);
  return { orders: rows.map(toOrderRow), next };
}

export function toOrderRow(order: Omit<ListedOrder, 'cursor'>): OrderRow {
  const { id, status, amount, currency, serviceName, customerName, customerEmail } = order;
  const { paymentMethod, paymentIntentId: paymentId, createdAt } = order;
  return {
    ...{ id, status, amount, currency, serviceName, customerName, customerEmail, paymentMethod, paymentId },
    createdAt: createdAt.toISOString(),
  };
}
