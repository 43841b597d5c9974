import { formatMoney } from '../../core/money.ts';
import { methodLabel } from '../../core/payment-method.ts';
import type { OrderProps } from '../props/order.ts';
import type { Fact } from './tables.tsx';

/** What was ordered, and how it is paid. */
export function orderFacts(order: OrderProps): Fact[] {
  return [
    { label: 'Service', value: order.serviceName },
    { label: 'Amount', value: formatMoney(order.amount, order.currency) },
    { label: 'Payment method', value: methodLabel(order.paymentMethod, order.methodType) },
    { label: 'Order', value: order.orderId, code: true },
  ];
}
