import { deskPages } from '../../core/desk-paths.ts';
import { audit, deskUrlOf, paymentId, stripePage, order as toAnyone, site as toEveryone } from './order.ts';

const site = { ...toEveryone, deskUrl: deskUrlOf(deskPages.today) };
const order = { ...toAnyone, deskUrl: deskUrlOf(deskPages.order(toAnyone.orderId)) };

const occurredAt = '2026-11-12T17:44:31Z';
const onPayment = {
  provider: 'stripe',
  dashboardUrl: stripePage(`payments/${paymentId}`),
  occurredAt,
} as const;
const disputeId = 'du_1QK9xT9ZvKYlo2C1bN5sV0aE';
const dispute = {
  ...order,
  provider: 'stripe',
  disputeId,
  disputedAmount: audit.price,
  disputeReason: 'product_not_received',
  evidenceDueAt: '2026-12-03T23:59:59Z',
  dashboardUrl: stripePage(`disputes/${disputeId}`),
} as const;

export const staffSamples = {
  order_notice: {
    ...order,
    provider: 'stripe',
    dashboardUrl: onPayment.dashboardUrl,
    paidAt: '2026-11-12T17:42:08Z',
    providerPaymentId: paymentId,
  },
  payment_end_failed_alert: {
    ...order,
    ...onPayment,
    paymentMethod: 'paypal',
    providerPaymentId: paymentId,
    failureReason: 'Stripe did not answer within 10 s',
  },
  payment_held_alert: {
    ...order,
    ...onPayment,
    provider: 'paypal',
    dashboardUrl: 'https://www.paypal.com/activities',
    paymentMethod: 'paypal',
    providerPaymentId: '8MC585209K746392H',
    heldReason: 'RECEIVING_PREFERENCE_MANDATES_MANUAL_ACTION',
  },
  duplicate_payment_alert: {
    ...order,
    firstPaymentId: paymentId,
    secondPaymentMethod: 'paypal',
    secondPaymentId: '8MC585209K746392H',
    secondAmount: audit.price,
    secondCurrency: 'USD',
    occurredAt,
  },
  review_alert: {
    ...order,
    receivedAmount: 299_900,
    receivedCurrency: 'EUR',
    receivedOrderId: order.orderId,
    provider: order.paymentMethod,
    providerObjectId: paymentId,
    isExtra: false,
    occurredAt: '2026-11-12T17:42:08Z',
  },
  fraud_warning_alert: {
    ...order,
    ...onPayment,
    warning: 'early_fraud_warning',
    providerPaymentId: paymentId,
    warningReason: 'unauthorized_use_of_card',
  },
  refund_failed_alert: {
    ...order,
    ...onPayment,
    providerPaymentId: paymentId,
    refundId: 're_3QK2mA9ZvKYlo2C1k7PqY2sD',
    why: 'refused',
    refundAmount: 100_000,
    failureReason: 'expired_or_canceled_card',
  },
  dispute_notice: {
    ...dispute,
    isRefundable: false,
    byRefund: false,
    byPayout: false,
    isReturnedDebit: false,
    isUncontestable: false,
    state: 'opened',
    occurredAt: '2026-11-24T14:03:00Z',
  },
  dispute_reminder: dispute,
  double_credit_alert: {
    ...order,
    ...onPayment,
    providerPaymentId: paymentId,
    takenAmount: audit.price,
    returnedAmount: 2 * audit.price,
  },
  payout_failed_alert: {
    ...site,
    provider: 'stripe',
    dashboardUrl: stripePage('payouts/po_1QKc3B9ZvKYlo2C1Ww0fL8nU'),
    payoutId: 'po_1QKc3B9ZvKYlo2C1Ww0fL8nU',
    payoutAmount: 1_249_550,
    payoutCurrency: 'USD',
    failureReason: 'account_closed',
    occurredAt,
  },
  staff_reminder: { ...site, concern: { topic: 'webhooks_silent', count: 4, provider: 'stripe' } },
  job_dead_alert: {
    ...site,
    jobId: '48213',
    job: 'apply-payment-event',
    lastError: 'Error: no order is known yet for pi_3QK2mA9ZvKYlo2C1x8Wd4RtB',
    event: 'stripe payment_intent.succeeded evt_3QK2mA9ZvKYlo2C1dLb0aGhX',
    orderId: null,
    occurredAt,
  },
} as const;
