import { escapeHtml } from '../core/html.ts';
import { formatMoney } from '../core/money.ts';
import { statusText } from '../core/order-texts.ts';
import { orderPath } from '../core/orders.ts';
import { findOrder } from '../db/orders.ts';
import { toOrderView } from './orders.ts';
import type { ApiParts } from './parts.ts';

/** An order's state as HTML, for browsers without JavaScript. */
export async function orderSummary(db: ApiParts['db'], orderId: unknown): Promise<string> {
  const known = orderPath.safeParse({ orderId });
  const order = known.success ? await findOrder(db, known.data.orderId) : undefined;
  if (!order) return summaryOf('We cannot find this order', ['The link may be incomplete.']);
  const { title, label, text } = statusText(toOrderView(order));
  return summaryOf(title, [
    text,
    `Order ID: ${order.id}`,
    `Amount: ${formatMoney(order.amount, order.currency)}`,
    `Status: ${label}`,
    'Reload this page to see the latest status.',
  ]);
}

function summaryOf(title: string, lines: readonly string[]): string {
  const paragraphs = lines.map((line) => `<p class="mt-3 wrap-anywhere">${escapeHtml(line)}</p>`).join('');
  return `<p role="heading" aria-level="1" class="text-3xl font-semibold">${escapeHtml(title)}</p>${paragraphs}`;
}
