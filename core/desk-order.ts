import { z } from 'zod';
import { orderRow } from './desk-orders.ts';
import { paymentMethods } from './orders.ts';
import { disputeEndings, refundStatuses } from './payment-facts.ts';
import { ROW_ID } from './text.ts';

const money = { amount: z.int(), currency: z.string() };

/** One payment of an order, and where it is in its provider's dashboard: null in the sandbox, which has none. */
const payment = z.object({
  id: z.string(),
  provider: z.enum(paymentMethods),
  /** Stripe's type of a payment method that is not a card, as far as it is known. */
  methodType: z.string().nullable(),
  /** `paying`: pays the order without being its current payment. */
  role: z.enum(['current', 'paying', 'former', 'other']),
  taken: z.object(money).nullable(),
  /** Cents that staff can refund. */
  refundable: z.int(),
  /** Whether staff can make it the order's own: the payment that settled the order holds no money. */
  isKeepable: z.boolean(),
  /** While a dispute is open, all of it or nothing. */
  onlyInFull: z.boolean(),
  refunds: z.object({ id: z.string(), amount: z.int(), status: z.enum(refundStatuses) }).array(),
  dashboardUrl: z.string().nullable(),
});

const dispute = z.object({
  id: z.string(),
  amount: z.int(),
  outcome: z.enum(['open', 'won', 'lost']),
  reason: z.string().nullable(),
  /** A full refund ends it. */
  isRefundable: z.boolean(),
  ending: z.enum(disputeEndings).nullable(),
  /** It was closed because the payment was refunded. */
  byRefund: z.boolean(),
  evidenceDueAt: z.iso.datetime().nullable(),
  dashboardUrl: z.string().nullable(),
});

const timelineEntry = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  what: z.enum(['move', 'event', 'job', 'mail', 'transfer', 'person']),
  text: z.string(),
  name: z.string().nullable(),
  status: z.string().nullable(),
  /** Of the request that caused it, as in the logs. */
  requestId: z.string().nullable(),
});
export type TimelineEntry = z.infer<typeof timelineEntry>;

/** An order as staff see it. Amounts in cents. */
export const deskOrder = orderRow.extend({
  amountRefunded: z.int(),
  failureReason: z.string().nullable(),
  paidAt: z.iso.datetime().nullable(),
  payments: payment.array(),
  disputes: dispute.array(),
  timeline: timelineEntry.array(),
  isForDecision: z.boolean(),
  isCancelable: z.boolean(),
});
export type DeskOrder = z.infer<typeof deskOrder>;
export type DeskPayment = DeskOrder['payments'][number];

/** An e-mail as it reads now; null: it is no longer relevant and would not be sent. */
export const mailText = z.object({ mail: z.object({ subject: z.string(), text: z.string() }).nullable() });

export const mailPath = z.object({
  orderId: z.uuid('Order id must be a UUID'),
  emailId: z.string().regex(ROW_ID, 'E-mail id must be a number'),
});
