import type { ParsedEmailParams } from '../../core/emails.ts';
import { settlingPayment } from '../../core/order-money.ts';
import { methodOf, shownPaymentOf } from '../../core/payment-method.ts';
import type { OrderDetails } from '../../db/order-details.ts';
import type { Config } from '../../infra/config.ts';
import type { OrderComposers } from './composer.ts';
import { dashboardUrl } from './dashboards.ts';

export const toStaff: OrderComposers<'staff'> = {
  order_notice: (order, _email, config) => {
    const { paymentMethod: provider } = methodOf(order, order.facts);
    const paymentId = shownPaymentOf(order, order.facts);
    return {
      paidAt: (order.paidAt ?? order.createdAt).toISOString(),
      providerPaymentId: paymentId,
      provider,
      dashboardUrl: paymentId && dashboardUrl(config, provider, 'payment', paymentId),
    };
  },
  payment_end_failed_alert: (_order, { params: { paymentId, provider, reason }, createdAt }, config) => ({
    provider,
    providerPaymentId: paymentId,
    failureReason: reason,
    dashboardUrl: dashboardUrl(config, provider, 'payment', paymentId),
    occurredAt: createdAt.toISOString(),
  }),
  payment_held_alert: (_order, { params: { paymentId, provider, reason }, createdAt }, config) => ({
    provider,
    providerPaymentId: paymentId,
    heldReason: reason,
    dashboardUrl: dashboardUrl(config, provider, 'payment', paymentId),
    occurredAt: createdAt.toISOString(),
  }),
  duplicate_payment_alert: (order, { params: { paymentId }, createdAt }) => {
    const capture = order.facts.captures[paymentId];
    return {
      firstPaymentId: settlingPayment(order, order.facts) ?? null,
      secondPaymentMethod: capture?.provider ?? order.paymentMethod,
      secondPaymentId: paymentId,
      secondAmount: capture?.amount ?? order.amount,
      secondCurrency: capture?.currency ?? order.currency,
      occurredAt: createdAt.toISOString(),
    };
  },
  review_alert: (order, { params: { paymentId, provider = order.paymentMethod }, createdAt }) => {
    const capture = order.facts.captures[paymentId];
    const isOurs = capture !== undefined && !capture.forAnotherOrder;
    return {
      receivedAmount: capture?.amount ?? null,
      receivedCurrency: capture?.currency ?? null,
      receivedOrderId: isOurs ? order.id : null,
      provider: capture?.provider ?? provider,
      providerObjectId: paymentId,
      isExtra: isOurs && settlingPayment(order, order.facts) !== undefined,
      occurredAt: createdAt.toISOString(),
    };
  },
  fraud_warning_alert: (_order, { params: { paymentId, provider, warning, reason }, createdAt }, config) => ({
    provider,
    warning,
    providerPaymentId: paymentId,
    warningReason: reason,
    dashboardUrl: dashboardUrl(config, provider, 'payment', paymentId),
    occurredAt: createdAt.toISOString(),
  }),
  refund_failed_alert: (_order, { params, createdAt }, config) => ({
    provider: params.provider,
    providerPaymentId: params.paymentId,
    refundId: params.refundId,
    why: params.why,
    refundAmount: params.amount,
    failureReason: params.reason,
    dashboardUrl: dashboardUrl(config, params.provider, 'payment', params.paymentId),
    occurredAt: createdAt.toISOString(),
  }),
  dispute_notice: (order, { params, createdAt }, config) => ({
    state: params.state,
    ...dispute(order, params, config),
    evidenceDueAt: params.evidenceDueAt,
    isRefundable: params.isRefundable,
    byRefund: params.byRefund,
    byPayout: params.byPayout,
    isReturnedDebit: params.isReturnedDebit,
    isUncontestable: params.isUncontestable,
    occurredAt: createdAt.toISOString(),
  }),
  double_credit_alert: (_order, { params, createdAt }, config) => ({
    provider: params.provider,
    providerPaymentId: params.paymentId,
    takenAmount: params.taken,
    returnedAmount: params.returned,
    dashboardUrl: dashboardUrl(config, params.provider, 'payment', params.paymentId),
    occurredAt: createdAt.toISOString(),
  }),
  dispute_reminder: (order, { params }, config) => {
    const { outcome, evidenceDueAt } = order.facts.disputes[params.disputeId] ?? {};
    const isDue = outcome === 'open' && evidenceDueAt === Date.parse(params.evidenceDueAt);
    if (!isDue) return undefined;
    return { ...dispute(order, params, config), evidenceDueAt: params.evidenceDueAt };
  },
};

function dispute(
  order: OrderDetails,
  params: ParsedEmailParams['dispute_notice' | 'dispute_reminder'],
  config: Config,
) {
  const { disputeId, amount, reason, provider = order.paymentMethod } = params;
  return {
    provider,
    disputeId,
    disputedAmount: amount ?? order.facts.disputes[disputeId]?.amount ?? order.amount,
    disputeReason: reason,
    dashboardUrl: dashboardUrl(config, provider, 'dispute', disputeId),
  };
}
