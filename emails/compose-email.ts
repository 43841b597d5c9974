import type { EmailKind } from '../core/emails.ts';
import { settlingCapture } from '../core/order-lifecycle.ts';
import { checkoutFor, successFor } from '../core/paths.ts';
import { serviceBySlug } from '../core/services.ts';
import type { Email } from '../db/emails.ts';
import { earlierRefundTotal } from '../db/emails.ts';
import { findOrderDetails, type OrderDetails } from '../db/order-details.ts';
import type { OutgoingMail } from '../infra/mailer.ts';
import type { WorkerParts } from '../worker/parts.ts';
import { composeContactAcknowledgement, composeContactNotice } from './compose-contact.ts';
import { composeEnrollmentNotice } from './compose-enrollment.ts';
import { composeConfirmation, composeWelcome } from './compose-newsletter.ts';
import { renderEmail } from './index.ts';
import type { EmailProps } from './props.ts';

export type Mail = Omit<OutgoingMail, 'messageId'>;
type Composer = (parts: WorkerParts, email: Email) => Promise<Mail | undefined>;

/**
 * The mail as it is to be sent now, from what the database says now; undefined if it has become pointless.
 * Recipients are looked up here, so no address stands in a job or in the outbox.
 */
export function composeEmail(parts: WorkerParts, email: Email): Promise<Mail | undefined> {
  return composers[email.kind](parts, email);
}

const composers: Record<EmailKind, Composer> = {
  order_confirmation: aboutOrder('order_confirmation', 'buyer', (order) => ({
    paidAt: paidAt(order),
    supportDays: serviceBySlug(order.serviceSlug).supportDays,
  })),
  order_notice: aboutOrder('order_notice', 'staff', (order) => ({
    paidAt: paidAt(order),
    providerPaymentId: order.paymentIntentId,
  })),
  payment_failed: aboutOrder('payment_failed', 'buyer', (order, _rest, _email, parts) => {
    if (order.status !== 'failed') return undefined;
    return {
      failureReason: order.failureReason,
      retryUrl: `${parts.config.publicUrl}${checkoutFor(order.serviceId)}`,
    };
  }),
  refund_notice: aboutOrder('refund_notice', 'buyer', async (order, [total], email, parts) => {
    const totalRefunded = Number(total);
    const before = await earlierRefundTotal(parts.db, order.id, totalRefunded);
    return { refundAmount: totalRefunded - before, totalRefunded, refundedAt: email.createdAt.toISOString() };
  }),
  dispute_notice: aboutOrder('dispute_notice', 'staff', (order, [disputeId = '', event], email) => {
    const dispute = order.facts.disputes[disputeId];
    const outcome = dispute && dispute.outcome !== 'open' ? dispute.outcome : ('opened' as const);
    return {
      state: event === 'opened' ? ('opened' as const) : outcome,
      disputeId,
      disputedAmount: dispute?.amount ?? order.amount,
      disputeReason: null,
      occurredAt: email.createdAt.toISOString(),
      evidenceDueAt: null,
    };
  }),
  review_alert: aboutOrder('review_alert', 'staff', (order, [providerObjectId = ''], email) => {
    const capture = order.facts.captures[providerObjectId];
    return {
      receivedAmount: capture?.amount ?? null,
      receivedCurrency: capture?.currency ?? null,
      receivedOrderId: capture && !capture.forAnotherOrder ? order.id : null,
      providerObjectId,
      occurredAt: email.createdAt.toISOString(),
    };
  }),
  duplicate_payment_alert: aboutOrder(
    'duplicate_payment_alert',
    'staff',
    (order, [captureId = ''], email) => {
      const capture = order.facts.captures[captureId];
      return {
        firstPaymentId: settlingCapture(order, order.facts) ?? null,
        secondPaymentMethod: capture?.provider ?? order.paymentMethod,
        secondPaymentId: captureId,
        secondAmount: capture?.amount ?? order.amount,
        secondCurrency: capture?.currency ?? order.currency,
        occurredAt: email.createdAt.toISOString(),
      };
    },
  ),
  contact_notice: composeContactNotice,
  contact_acknowledgement: composeContactAcknowledgement,
  newsletter_confirmation: composeConfirmation,
  newsletter_welcome: composeWelcome,
  enrollment_notice: composeEnrollmentNotice,
};

type OrderKind = {
  [K in EmailKind]: EmailProps[K] extends { orderId: string } ? K : never;
}[EmailKind];
type Shared =
  | 'siteUrl'
  | 'orderId'
  | 'serviceName'
  | 'customerName'
  | 'customerEmail'
  | 'amount'
  | 'currency'
  | 'paymentMethod'
  | 'orderUrl';
type Own<K extends OrderKind> = Omit<EmailProps[K], Shared>;

/** A mail about an order: its subject id begins with the order's id; `own` adds what only this kind tells. */
function aboutOrder<K extends OrderKind>(
  kind: K,
  to: 'buyer' | 'staff',
  own: (
    order: OrderDetails,
    rest: string[],
    email: Email,
    parts: WorkerParts,
  ) => Own<K> | undefined | Promise<Own<K> | undefined>,
): Composer {
  return async (parts, email) => {
    const [orderId = '', ...rest] = email.subjectId.split(':');
    const order = await findOrderDetails(parts.db, orderId);
    if (!order) throw new Error(`E-mail ${email.id} is about an order that does not exist`);
    const details = await own(order, rest, email, parts);
    if (!details) return undefined;
    const props = { ...shared(order, parts.config.publicUrl), ...details } as EmailProps[K];
    const recipient = to === 'staff' ? parts.config.mail.staff : order.customerEmail;
    return { to: recipient, ...(await renderEmail(kind, props)) };
  };
}

function shared(order: OrderDetails, siteUrl: string): Pick<EmailProps['order_notice'], Shared> {
  const { id: orderId, serviceName, customerName, customerEmail, amount, currency, paymentMethod } = order;
  const orderUrl = `${siteUrl}${successFor(orderId)}`;
  return {
    siteUrl,
    orderId,
    serviceName,
    customerName,
    customerEmail,
    amount,
    currency,
    paymentMethod,
    orderUrl,
  };
}

function paidAt(order: OrderDetails): string {
  return (order.paidAt ?? order.createdAt).toISOString();
}
