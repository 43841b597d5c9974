import { formatMoney } from '../core/money.ts';
import { settlingPayment } from '../core/order-money.ts';
import type { OrderTimeline } from '../db/order-timeline.ts';
import { show, table } from './table.ts';

export function describeOrder({ order, timeline }: OrderTimeline): string {
  const settledBy = settlingPayment(order, order.facts);
  const facts = [
    ['order', order.id],
    ['status', order.status],
    ['service', order.serviceName],
    ['amount', formatMoney(order.amount, order.currency)],
    ['refunded', formatMoney(order.amountRefunded, order.currency)],
    ['buyer', `${order.customerName} <${order.customerEmail}>`],
    ['payment', `${order.paymentMethod} ${order.paymentIntentId ?? '(none yet)'}`],
    ...(settledBy && settledBy !== order.paymentIntentId ? [['paid by', settledBy] as const] : []),
    ['created', order.createdAt],
    ['paid', order.paidAt],
  ] as const;
  const lines = facts.map(([name, value]) => `${name.padEnd(9)} ${show(value)}`);
  const rows = timeline.map(({ at, what, text }) => [at, what, text]);
  return [...lines, '', table(['at', 'what', ''], rows)].join('\n');
}
