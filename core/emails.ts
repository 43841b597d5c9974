import { z } from 'zod';

const noParams = z.object({});
const payment = z.object({ paymentId: z.string() });
const contactMessage = z.object({ messageId: z.string() });
const subscription = z.object({ subscriptionId: z.string() });

/** Every kind of e-mail: its recipient and the params it is composed from, besides the order it is about. */
export const emailKinds = {
  order_confirmation: { to: 'buyer', params: noParams },
  order_notice: { to: 'staff', params: noParams },
  payment_failed: { to: 'buyer', params: noParams },
  refund_notice: {
    to: 'buyer',
    /** Totals of the order in cents; their difference is the refund. */
    params: z.object({ refundedTotal: z.int(), refundedBefore: z.int() }),
  },
  dispute_notice: {
    to: 'staff',
    params: z.object({ disputeId: z.string(), state: z.enum(['opened', 'won', 'lost']) }),
  },
  review_alert: { to: 'staff', params: payment },
  duplicate_payment_alert: { to: 'staff', params: payment },
  contact_notice: { to: 'staff', params: contactMessage },
  contact_acknowledgement: { to: 'visitor', params: contactMessage },
  newsletter_confirmation: { to: 'visitor', params: subscription },
  newsletter_welcome: { to: 'visitor', params: subscription },
  enrollment_notice: { to: 'staff', params: z.object({ userId: z.string() }) },
} as const satisfies Record<string, { to: 'buyer' | 'staff' | 'visitor'; params: z.ZodObject }>;

export type EmailKind = keyof typeof emailKinds;

/** The params of each kind as they are stored. */
export type EmailParams = { [K in EmailKind]: z.input<(typeof emailKinds)[K]['params']> };

/** The params of each kind as they are read back, with defaults filled in. */
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
