import { settlingCapture } from '../core/order-lifecycle.ts';
import { checkoutFor, successFor } from '../core/paths.ts';
import { serviceBySlug } from '../core/services.ts';
import { findOrderDetails, type OrderDetails } from '../db/order-details.ts';
import type { Composer, EmailOf, EmailParts } from './composer.ts';
import type { EmailProps, OrderProps, SiteProps } from './props.ts';

type OrderKind = {
  [K in keyof EmailProps]: EmailProps[K] extends OrderProps ? K : never;
}[keyof EmailProps];

/** What a kind adds to the order; undefined drops the mail. */
type Details<K extends OrderKind> = (
  order: OrderDetails,
  email: EmailOf<K>,
  parts: EmailParts,
) => Omit<EmailProps[K], keyof OrderProps | keyof SiteProps> | undefined;

const details: { [K in OrderKind]: Details<K> } = {
  order_confirmation: (order) => ({
    paidAt: paidAt(order),
    supportDays: serviceBySlug(order.serviceSlug).supportDays,
  }),
  order_notice: (order) => ({ paidAt: paidAt(order), providerPaymentId: order.paymentIntentId }),
  payment_failed: (order, _email, { config }) =>
    order.status === 'failed'
      ? { failureReason: order.failureReason, retryUrl: `${config.publicUrl}${checkoutFor(order.serviceId)}` }
      : undefined,
  refund_notice: (_order, { params: { refundedTotal, refundedBefore }, createdAt }) => ({
    refundAmount: refundedTotal - refundedBefore,
    totalRefunded: refundedTotal,
    refundedAt: createdAt.toISOString(),
  }),
  dispute_notice: (order, { params: { disputeId, state }, createdAt }) => ({
    state,
    disputeId,
    disputedAmount: order.facts.disputes[disputeId]?.amount ?? order.amount,
    disputeReason: null,
    occurredAt: createdAt.toISOString(),
    evidenceDueAt: null,
  }),
  review_alert: (order, { params: { paymentId }, createdAt }) => {
    const capture = order.facts.captures[paymentId];
    return {
      receivedAmount: capture?.amount ?? null,
      receivedCurrency: capture?.currency ?? null,
      receivedOrderId: capture && !capture.forAnotherOrder ? order.id : null,
      providerObjectId: paymentId,
      occurredAt: createdAt.toISOString(),
    };
  },
  duplicate_payment_alert: (order, { params: { paymentId }, createdAt }) => {
    const capture = order.facts.captures[paymentId];
    return {
      firstPaymentId: settlingCapture(order, order.facts) ?? null,
      secondPaymentMethod: capture?.provider ?? order.paymentMethod,
      secondPaymentId: paymentId,
      secondAmount: capture?.amount ?? order.amount,
      secondCurrency: capture?.currency ?? order.currency,
      occurredAt: createdAt.toISOString(),
    };
  },
};

/** The composer of a mail about an order. */
export function composeOrder<K extends OrderKind>(kind: K): Composer<K> {
  return async (parts, email) => {
    const order = email.orderId ? await findOrderDetails(parts.db, email.orderId) : undefined;
    if (!order) throw new Error(`E-mail ${email.id}: order ${email.orderId} not found`);
    const added = details[kind](order, email, parts);
    if (!added) return undefined;
    const props = { ...orderProps(order, parts.config.publicUrl), ...added };
    return { props: props as unknown as Omit<EmailProps[K], keyof SiteProps>, address: order.customerEmail };
  };
}

function orderProps(order: OrderDetails, siteUrl: string): OrderProps {
  const { id: orderId, serviceName, customerName, customerEmail, amount, currency, paymentMethod } = order;
  return {
    orderId,
    serviceName,
    customerName,
    customerEmail,
    amount,
    currency,
    paymentMethod,
    orderUrl: `${siteUrl}${successFor(orderId)}`,
  };
}

function paidAt(order: OrderDetails): string {
  return (order.paidAt ?? order.createdAt).toISOString();
}
