import { z } from 'zod';
import { paymentMethods } from './orders.ts';

/** Stripe's type of a payment method that is not a card, such as `us_bank_account`. */
const methodType = z.string().optional();

/**
 * What is known of an order's payments, as the providers reported it. Money is identified by the provider's payment id
 * (PaymentIntent, PayPal order); charges and captures are its attributes. Every part is a set or a register in which the
 * latest observation counts, so the same facts lead to the same state in any order and however often they are repeated.
 * Stored with the order (`orders.payment_facts`); the status is derived from it (order-lifecycle.ts).
 */
const capture = z.object({
  amount: z.int(),
  currency: z.string(),
  /** Who took the money, and so who can refund it. */
  provider: z.enum(paymentMethods).optional(),
  captureId: z.string().optional(),
  methodType,
  forAnotherOrder: z.literal(true).optional(),
});

export const refundStatuses = ['pending', 'succeeded', 'failed', 'canceled'] as const;

const refund = z.object({
  paymentId: z.string(),
  amount: z.int(),
  status: z.enum(refundStatuses),
  observedAt: z.number(),
  /** Staff requested it here; known of PayPal's only. */
  isOurs: z.literal(true).optional(),
  /** The provider took the money back itself, as for a lost dispute. */
  isReversal: z.literal(true).optional(),
});

/** Closed without a decision, or with a payout at the provider's own expense. */
export const disputeEndings = ['none', 'payout'] as const;

const dispute = z.object({
  /** The payment that is disputed; absent from facts stored by earlier releases. */
  paymentId: z.string().optional(),
  amount: z.int(),
  outcome: z.enum(['open', 'won', 'lost']),
  /** How a dispute ended that neither side won. We keep the money. */
  ending: z.enum(disputeEndings).optional(),
  /** When the provider was asked, ms since the epoch by the database's clock. */
  observedAt: z.number().default(0),
  /** The provider may book a lost dispute as a refund too: its money counts once. */
  bookedAsRefund: z.literal(true).optional(),
  /** Cents that it took when it was lost, also if it was won on appeal since. */
  lostBefore: z.int().optional(),
  /** No refund ended it: it was decided, or closed while the payment held money. */
  isDecided: z.literal(true).optional(),
  /** The provider leaves the money to us: refunding all of it ends the dispute. */
  isRefundable: z.literal(true).optional(),
  reason: z.string().optional(),
  /** The buyer's bank returned the debit: no one decides about it, and no evidence can be submitted. */
  isReturnedDebit: z.literal(true).optional(),
  /** The bank allows no response: no evidence can be submitted. */
  isUncontestable: z.literal(true).optional(),
  /** Until when evidence may be submitted, ms since the epoch. */
  evidenceDueAt: z.number().optional(),
});

const attempt = z.object({
  /** The payment that was attempted. A cancellation without one is the order's own: not paid in time, or by staff. */
  paymentId: z.string().optional(),
  status: z.enum(['processing', 'failed', 'canceled']),
  reason: z.string().nullable(),
  /** How often the capture of this payment was declined. */
  declines: z.int().optional(),
  methodType,
  /** Why the provider holds it until we act in its dashboard. */
  heldFor: z.string().optional(),
  observedAt: z.number(),
});

const decision = z.object({
  status: z.enum(['paid', 'refunded', 'canceled']),
  /** The payments that were known when the operator decided: money that comes later needs a new decision. */
  payments: z.array(z.string()),
  observedAt: z.number(),
});

/** The payment that staff kept as the order's own. */
const kept = z.object({ paymentId: z.string(), observedAt: z.number() });

export const paymentFact = z.discriminatedUnion('kind', [
  capture.extend({ kind: z.literal('captured'), paymentId: z.string() }),
  refund.extend({ kind: z.literal('refund'), refundId: z.string() }),
  /** A provider's total where it names no refunds; once refunds are known by id, only those count. */
  z.object({ kind: z.literal('refunded_total'), paymentId: z.string(), total: z.int() }),
  dispute.extend({ kind: z.literal('dispute'), disputeId: z.string() }),
  attempt.extend({ kind: z.literal('attempt') }),
  decision.extend({ kind: z.literal('decision') }),
  kept.extend({ kind: z.literal('kept') }),
]);
export type PaymentFact = z.infer<typeof paymentFact>;
export type Capture = z.infer<typeof capture>;
export type Refund = z.infer<typeof refund>;
export type RefundFact = Extract<PaymentFact, { kind: 'refund' }>;
export type Dispute = z.infer<typeof dispute>;
export type Attempt = z.infer<typeof attempt>;
export type Decision = z.infer<typeof decision>;
type Kept = z.infer<typeof kept>;

export interface PaymentFacts {
  /** Money taken, by payment id, in the order in which it became known. Never forgotten. */
  captures: Record<string, Capture>;
  refunds?: Record<string, Refund>;
  refunded: Record<string, number>;
  disputes: Record<string, Dispute>;
  /** The buyer's latest attempt that has not led to a capture. */
  attempt: Attempt | null;
  /** The order was not paid in time, or canceled by staff: it has ended, unless a payment is still in progress. */
  expired?: true;
  decision: Decision | null;
  kept?: Kept;
}

export const NO_FACTS: PaymentFacts = {
  captures: {},
  refunds: {},
  refunded: {},
  disputes: {},
  attempt: null,
  decision: null,
};

/** What is known once `fact` is added. */
export function addFact(known: PaymentFacts, fact: PaymentFact): PaymentFacts {
  switch (fact.kind) {
    case 'captured':
      return { ...known, captures: { ...known.captures, [fact.paymentId]: mergeCapture(known, fact) } };
    case 'refund': {
      const { kind: _, refundId, ...next } = fact;
      const before = known.refunds?.[refundId];
      const merged = mergeRefund(next, before);
      return merged === before ? known : { ...known, refunds: { ...known.refunds, [refundId]: merged } };
    }
    case 'refunded_total': {
      const total = Math.max(fact.total, known.refunded[fact.paymentId] ?? 0);
      return { ...known, refunded: { ...known.refunded, [fact.paymentId]: total } };
    }
    case 'dispute': {
      const { kind: _, disputeId, ...next } = fact;
      const before = known.disputes[disputeId];
      const merged = mergeDispute(next, before);
      return merged === before ? known : { ...known, disputes: { ...known.disputes, [disputeId]: merged } };
    }
    case 'attempt': {
      const { kind: _, ...next } = fact;
      if (next.status === 'canceled' && next.paymentId === undefined) return { ...known, expired: true };
      return isLaterAttempt(next, known.attempt) ? { ...known, attempt: next } : known;
    }
    case 'decision': {
      const { kind: _, ...next } = fact;
      return isLater(next, known.decision ?? undefined, DECISION_RANK, 'status')
        ? { ...known, decision: next }
        : known;
    }
    case 'kept': {
      const { kind: _, ...next } = fact;
      return isLaterKept(next, known.kept) ? { ...known, kept: next } : known;
    }
  }
}

/** The first report of a payment's money counts; a later one may add the charge and the type of payment method. */
function mergeCapture(known: PaymentFacts, fact: Extract<PaymentFact, { kind: 'captured' }>): Capture {
  const { kind: _, paymentId, ...reported } = fact;
  const before = known.captures[paymentId];
  if (!before) return reported;
  const { captureId = reported.captureId, methodType = reported.methodType } = before;
  return { ...before, ...(captureId ? { captureId } : {}), ...(methodType ? { methodType } : {}) };
}

/** The latest observation counts; that it is a reversal any of them may show. */
function mergeRefund(next: Refund, before: Refund | undefined): Refund {
  const latest = before && !isLater(next, before, REFUND_RANK, 'status') ? before : next;
  const isReversal = next.isReversal ?? before?.isReversal;
  return isReversal === latest.isReversal ? latest : { ...latest, isReversal: true };
}

/** The latest observation counts, with what any of them knew of how the dispute ended. */
function mergeDispute(next: Dispute, before: Dispute | undefined): Dispute {
  const latest = before && !isLater(next, before, DISPUTE_RANK, 'outcome') ? before : next;
  const lostBefore = Math.max(lostAmountOf(next), before ? lostAmountOf(before) : 0);
  const isDecided = next.isDecided ?? before?.isDecided;
  if (lostBefore === (latest.lostBefore ?? 0) && isDecided === latest.isDecided) return latest;
  return { ...latest, ...(lostBefore > 0 ? { lostBefore } : {}), ...(isDecided ? { isDecided } : {}) };
}

function lostAmountOf({ outcome, amount, bookedAsRefund, lostBefore = 0 }: Dispute): number {
  return bookedAsRefund && outcome === 'lost' ? Math.max(amount, lostBefore) : lostBefore;
}

const REFUND_RANK = { pending: 0, succeeded: 1, failed: 2, canceled: 3 };
const DISPUTE_RANK = { open: 0, won: 1, lost: 2 };
const DECISION_RANK = { canceled: 0, refunded: 1, paid: 2 };
const ATTEMPT_RANK = { processing: 0, failed: 1, canceled: 2 };

/** The later observation counts; two of the same instant are ordered by rank, so that arrival never matters. */
function isLater<K extends string, T extends { observedAt: number } & Record<K, string>>(
  next: T,
  before: T | undefined,
  rank: Record<T[K], number>,
  key: K,
): boolean {
  if (!before) return true;
  const earlier = before.observedAt ?? 0;
  if (next.observedAt !== earlier) return next.observedAt > earlier;
  return rank[next[key]] > rank[before[key]];
}

/** A canceled payment stays canceled: both providers make it final. */
function isLaterAttempt(next: Attempt, before: Attempt | null): boolean {
  if (!before) return true;
  const isSamePayment = next.paymentId !== undefined && next.paymentId === before.paymentId;
  if (isSamePayment && next.status !== before.status) {
    if (before.status === 'canceled') return false;
    if (next.status === 'canceled') return true;
  }
  return isLater(next, before, ATTEMPT_RANK, 'status');
}

function isLaterKept(next: Kept, before: Kept | undefined): boolean {
  if (!before) return true;
  if (next.observedAt !== before.observedAt) return next.observedAt > before.observedAt;
  return next.paymentId > before.paymentId;
}

/** How often the capture of a payment was declined, as its latest attempt says. */
export function declinesOf({ attempt }: Pick<PaymentFacts, 'attempt'>, paymentId: string | null): number {
  const isDeclined = attempt?.status === 'failed' && attempt.paymentId === paymentId;
  return isDeclined ? (attempt.declines ?? 1) : 0;
}

/** Whether `facts` would change what is known, apart from when it was observed. */
export function addsNothing(known: PaymentFacts, facts: readonly PaymentFact[]): boolean {
  const withoutTimes = (value: PaymentFacts) =>
    JSON.stringify(value, (key, inner) => (key === 'observedAt' ? undefined : inner));
  return withoutTimes(facts.reduce(addFact, known)) === withoutTimes(known);
}
