import { z } from 'zod';
import { concern } from './concerns.ts';
import { paymentMethods } from './orders.ts';

const noParams = z.object({});
const payment = z.object({ paymentId: z.string() });
const contactMessage = z.object({ messageId: z.string() });
const subscription = z.object({ subscriptionId: z.string() });
const provider = z.enum(paymentMethods);
const cents = z.int();
const time = z.iso.datetime({ offset: true });
/** The provider's reason, if it gave one. */
const reason = z.string().nullable().default(null);
/** The bank returned a debit: there is nothing to decide. */
const isReturnedDebit = z.boolean().default(false);
/** Whose payment it is; absent from e-mails queued by earlier releases. */
const byProvider = { provider: provider.optional() };
const disputed = {
  ...byProvider,
  disputeId: z.string(),
  amount: cents.optional(),
  reason,
};

/** Why a refund was not made or is not confirmed. */
export const refundNotMade = ['refused', 'unknown', 'not_duplicate', 'refunded_elsewhere'] as const;

/** Every kind of e-mail: its recipient and the params it is composed from, besides the order it is about. */
export const emailKinds = {
  order_confirmation: { to: 'buyer', params: noParams },
  order_notice: { to: 'staff', params: noParams },
  order_canceled: { to: 'buyer', params: noParams },
  payment_processing: { to: 'buyer', params: noParams },
  payment_failed: { to: 'buyer', params: noParams },
  payment_end_failed_alert: { to: 'staff', params: payment.extend({ provider, reason }) },
  payment_held_alert: { to: 'staff', params: payment.extend({ provider, reason }) },
  duplicate_payment_alert: { to: 'staff', params: payment },
  review_alert: { to: 'staff', params: payment.extend(byProvider) },
  fraud_warning_alert: {
    to: 'staff',
    params: payment.extend({ provider, warning: z.enum(['early_fraud_warning', 'review']), reason }),
  },
  refund_notice: {
    to: 'buyer',
    /** Totals of the order; their difference is the refund. */
    params: z.object({ refundedTotal: cents, refundedBefore: cents }),
  },
  /** The first payment was returned, and staff kept the second one. */
  payment_kept: { to: 'buyer', params: payment },
  refund_failed: { to: 'buyer', params: z.object({ amount: cents }) },
  refund_failed_alert: {
    to: 'staff',
    /**
     * With a refund id the provider reports it as failed or canceled: queue `refund_failed` too. Without one it was not
     * made, and `why` says that the provider refused it, that the second payment is the only one left, that the payment has a
     * refund that was unknown when staff requested this one, or that the outcome is unknown.
     */
    params: payment.extend({
      provider,
      refundId: z.string().nullable(),
      amount: cents,
      reason,
      why: z.enum(refundNotMade).default('refused'),
    }),
  },
  dispute_notice: {
    to: 'staff',
    params: z.object({
      ...disputed,
      state: z.enum(['opened', 'won', 'lost']),
      evidenceDueAt: time.nullable().default(null),
      isRefundable: z.boolean().default(false),
      byRefund: z.boolean().default(false),
      byPayout: z.boolean().default(false),
      isReturnedDebit,
      isUncontestable: z.boolean().default(false),
    }),
  },
  dispute_reminder: { to: 'staff', params: z.object({ ...disputed, evidenceDueAt: time }) },
  dispute_closed: {
    to: 'buyer',
    params: z.object({ ...byProvider, state: z.enum(['won', 'lost']), amount: cents, isReturnedDebit }),
  },
  double_credit_alert: {
    to: 'staff',
    params: payment.extend({ provider, taken: cents, returned: cents }),
  },
  payout_failed_alert: {
    to: 'staff',
    params: z.object({ provider, payoutId: z.string(), amount: cents, currency: z.string(), reason }),
  },
  job_dead_alert: {
    to: 'staff',
    /** `jobId` is the outbox row; `event` names the payment event that the job was to apply. */
    params: z.object({
      jobId: z.string(),
      job: z.string(),
      error: z.string(),
      event: z.string().nullable().default(null),
    }),
  },
  staff_reminder: { to: 'staff', params: z.object({ concern }) },
  contact_notice: { to: 'staff', params: contactMessage },
  contact_acknowledgement: { to: 'visitor', params: contactMessage },
  newsletter_confirmation: { to: 'visitor', params: subscription },
  newsletter_welcome: { to: 'visitor', params: subscription },
  enrollment_notice: { to: 'staff', params: z.object({ userId: z.string() }) },
} as const satisfies Record<string, { to: 'buyer' | 'staff' | 'visitor'; params: z.ZodObject }>;

export type EmailKind = keyof typeof emailKinds;

/** What staff call it: 'Order confirmation'. */
export function emailName(kind: EmailKind): string {
  const words = kind.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** As stored. */
type EmailParams = { [K in EmailKind]: z.input<(typeof emailKinds)[K]['params']> };

/** As read back, with defaults filled in. */
export type ParsedEmailParams = { [K in EmailKind]: z.output<(typeof emailKinds)[K]['params']> };

/** @throws ZodError if the stored params do not fit the kind */
export function parseEmailParams<K extends EmailKind>(kind: K, params: unknown): ParsedEmailParams[K] {
  return emailKinds[kind].params.parse(params) as ParsedEmailParams[K];
}

/** An e-mail to be sent once per kind and dedupe key. */
export type EmailRequest = {
  [K in EmailKind]: {
    kind: K;
    /** Only ever compared, never parsed. */
    dedupeKey: string;
    params: EmailParams[K];
    orderId?: string;
    /** Sent no earlier than this, ms from now. */
    delayMs?: number;
  };
}[EmailKind];
