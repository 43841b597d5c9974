import { amountOf, type OrderListRequest, type OrderPage, type OrderRow } from '../core/desk-orders.ts';
import { PAGE_SIZE, pageOf } from '../core/list-page.ts';
import type { Database } from '../db/database.ts';
import { listOrders } from '../db/order-list.ts';
import type { FoundOrder } from '../db/order-search.ts';
import { findOrders } from './find-orders.ts';

const MAX_FOUND = 100;

/** A page of the list: what passes the filters, or what a text finds among all orders. */
export async function readOrderPage(
  db: Database,
  { text, after, ...filters }: OrderListRequest,
): Promise<OrderPage> {
  const amount = text ? amountOf(text) : undefined;
  if (text && amount === undefined) return search(db, text);
  const found = await listOrders(db, { ...filters, amount }, after, PAGE_SIZE + 1);
  const { rows, next } = pageOf(found);
  return { orders: rows.map(toOrderRow), next, isCut: false };
}

async function search(db: Database, text: string): Promise<OrderPage> {
  const { orders, isCut } = await findOrders(db, text, MAX_FOUND);
  return { orders: orders.map(toOrderRow), next: null, isCut };
}

export function toOrderRow(order: FoundOrder): OrderRow {
  const { id, status, amount, currency, serviceName, customerName, customerEmail } = order;
  const { paymentMethod, paymentIntentId: paymentId, createdAt } = order;
  return {
    ...{ id, status, amount, currency, serviceName, customerName, customerEmail, paymentMethod, paymentId },
    createdAt: createdAt.toISOString(),
  };
}
