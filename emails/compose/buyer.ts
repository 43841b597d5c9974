import { amountTaken, settlingPayment } from '../../core/order-money.ts';
import { checkoutFor, paymentFor } from '../../core/paths.ts';
import { serviceBySlug } from '../../core/services.ts';
import type { OrderDetails } from '../../db/order-details.ts';
import type { OrderComposers } from './composer.ts';

export const toBuyer: OrderComposers<'buyer'> = {
  order_confirmation: (order) => ({
    paidAmount: paidAmount(order),
    paidAt: (order.paidAt ?? order.createdAt).toISOString(),
    supportDays: serviceBySlug(order.serviceSlug).supportDays,
  }),
  order_canceled: (order, _email, config) =>
    order.status === 'canceled' ? { retryUrl: config.publicUrl + checkoutFor(order.serviceId) } : undefined,
  payment_processing: (order) => (order.status === 'processing' ? {} : undefined),
  payment_failed: (order, _email, config) => {
    if (order.status !== 'failed') return undefined;
    return { failureReason: order.failureReason, retryUrl: config.publicUrl + paymentFor(order.id) };
  },
  refund_notice: (order, { params: { refundedTotal, refundedBefore }, createdAt }) => ({
    paidAmount: paidAmount(order),
    refundAmount: refundedTotal - refundedBefore,
    totalRefunded: refundedTotal,
    refundedAt: createdAt.toISOString(),
  }),
  // Staff may have refunded it in the meantime.
  payment_kept: (order, { params }) => {
    const kept = settlingPayment(order, order.facts) === params.paymentId && order.status !== 'refunded';
    return kept ? { keptAmount: order.facts.captures[params.paymentId]?.amount ?? order.amount } : undefined;
  },
  refund_failed: (_order, { params }) => ({ refundAmount: params.amount }),
  dispute_closed: (order, { params }) => ({
    provider: params.provider ?? order.paymentMethod,
    state: params.state,
    disputedAmount: params.amount,
    isReturnedDebit: params.isReturnedDebit,
  }),
};

/** In cents. An operator may have revoked the decision that accepted the money. */
function paidAmount(order: OrderDetails): number {
  return amountTaken(order, order.facts) || order.amount;
}
