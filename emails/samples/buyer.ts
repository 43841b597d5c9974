import { serviceBySlug } from '../../core/services.ts';
import { audit, order, paymentUrl, reorderUrl } from './order.ts';

const optimization = serviceBySlug('optimization');

export const buyerSamples = {
  order_confirmation: {
    ...order,
    paidAmount: order.amount,
    paidAt: '2026-11-12T17:42:08Z',
    supportDays: audit.supportDays,
  },
  order_canceled: { ...order, retryUrl: reorderUrl },
  payment_processing: order,
  payment_failed: {
    ...order,
    failureReason: 'Your card has insufficient funds. Try a different card.',
    retryUrl: paymentUrl,
  },
  refund_notice: {
    ...order,
    serviceName: optimization.name,
    amount: optimization.price,
    paidAmount: optimization.price,
    paymentMethod: 'paypal',
    refundAmount: 100_000,
    totalRefunded: 150_000,
    refundedAt: '2026-11-20T09:15:00Z',
  },
  payment_kept: { ...order, keptAmount: audit.price },
  refund_failed: { ...order, refundAmount: 100_000 },
  dispute_closed: {
    ...order,
    provider: order.paymentMethod,
    state: 'lost',
    disputedAmount: audit.price,
    isReturnedDebit: false,
  },
} as const;
