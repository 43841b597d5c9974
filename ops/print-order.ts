import { formatMoney } from '../core/money.ts';
import type { OrderTimeline } from './order-timeline.ts';

/** The order and its time line, readable in a terminal. */
export function printOrder({ order, timeline }: OrderTimeline): void {
  const facts = [
    ['order', order.id],
    ['status', order.status],
    ['service', order.serviceName],
    ['amount', formatMoney(order.amount, order.currency)],
    ['refunded', formatMoney(order.amountRefunded, order.currency)],
    ['buyer', `${order.customerName} <${order.customerEmail}>`],
    ['payment', `${order.paymentMethod} ${order.paymentIntentId ?? '(none yet)'}`],
    ['created', order.createdAt.toISOString()],
    ['paid', order.paidAt?.toISOString() ?? '-'],
  ];
  for (const [name = '', value] of facts) console.info(`${name.padEnd(9)} ${value}`);
  console.info('');
  for (const { at, what, text } of timeline) {
    console.info(`${at.toISOString()}  ${what.padEnd(5)}  ${text}`);
  }
}
