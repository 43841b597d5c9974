import { z } from 'zod';
import { paymentMethods } from './orders.ts';

/**
 * What is known of an order's payment, as the providers told it. Facts only accumulate: each part is a set, a
 * maximum or a latest-wins register, so learning the same facts in any order, any number of times, ends the same.
 * Stored with the order (`orders.payment_facts`); the status is derived from it (order-lifecycle.ts).
 */
export const paymentFacts = z.object({
  /** Money taken, by the provider's charge or capture id. Never forgotten. */
  captures: z.record(
    z.string(),
    z.object({
      amount: z.int(),
      currency: z.string(),
      /** Who took it, and so who can give it back. */
      provider: z.enum(paymentMethods).optional(),
      /** The payment says of itself that it is for another order. */
      forAnotherOrder: z.literal(true).optional(),
    }),
  ),
  /** Cents given back so far, by charge or capture id: the provider's own total, which only grows. */
  refunded: z.record(z.string(), z.int()),
  /** Disputes by the provider's id; a closed one does not open again. */
  disputes: z.record(
    z.string(),
    z.object({
      amount: z.int(),
      outcome: z.enum(['open', 'won', 'lost']),
      /** What a lost one took is among the refunds already. */
      bookedAsRefund: z.literal(true).optional(),
    }),
  ),
  /** The buyer's latest attempt that has not (yet) led to a capture; the later observation counts. */
  attempt: z
    .object({
      status: z.enum(['processing', 'failed', 'canceled']),
      reason: z.string().nullable(),
      /** When we asked the provider, ms since the epoch by the database's clock. */
      observedAt: z.number(),
    })
    .nullable(),
  /** An operator's word on an order in review. */
  decision: z.enum(['paid', 'refunded', 'canceled']).nullable(),
});
export type PaymentFacts = z.infer<typeof paymentFacts>;
export type Attempt = NonNullable<PaymentFacts['attempt']>;

export type Capture = PaymentFacts['captures'][string];
export type Dispute = PaymentFacts['disputes'][string];

export type PaymentFact =
  | ({ kind: 'captured'; captureId: string } & Capture)
  | { kind: 'refunded'; captureId: string; total: number }
  | ({ kind: 'dispute'; disputeId: string } & Dispute)
  | ({ kind: 'attempt' } & Attempt)
  | { kind: 'decision'; status: 'paid' | 'refunded' | 'canceled' };

export const NOTHING_KNOWN: PaymentFacts = {
  captures: {},
  refunded: {},
  disputes: {},
  attempt: null,
  decision: null,
};

/** Everything known before, and this. */
export function learn(known: PaymentFacts, fact: PaymentFact): PaymentFacts {
  switch (fact.kind) {
    case 'captured': {
      if (fact.captureId in known.captures) return known;
      const { kind: _, captureId, ...capture } = fact;
      return { ...known, captures: { ...known.captures, [captureId]: capture } };
    }
    case 'refunded': {
      const total = Math.max(fact.total, known.refunded[fact.captureId] ?? 0);
      return { ...known, refunded: { ...known.refunded, [fact.captureId]: total } };
    }
    case 'dispute': {
      const before = known.disputes[fact.disputeId];
      if (before && DISPUTE_RANK[before.outcome] >= DISPUTE_RANK[fact.outcome]) return known;
      const { kind: _, disputeId, ...dispute } = fact;
      return { ...known, disputes: { ...known.disputes, [disputeId]: dispute } };
    }
    case 'attempt': {
      if (known.attempt && !isLater(fact, known.attempt)) return known;
      return { ...known, attempt: { status: fact.status, reason: fact.reason, observedAt: fact.observedAt } };
    }
    case 'decision':
      return { ...known, decision: known.decision ?? fact.status };
  }
}

/** A closed dispute does not open again; lost is believed over won, for it means that the money is gone. */
const DISPUTE_RANK = { open: 0, won: 1, lost: 2 } as const;

const ATTEMPT_RANK = { processing: 0, failed: 1, canceled: 2 } as const;

/** Two observations of the same instant are told apart by rank, so that order of arrival never matters. */
function isLater(a: Attempt, b: Attempt): boolean {
  if (a.observedAt !== b.observedAt) return a.observedAt > b.observedAt;
  return ATTEMPT_RANK[a.status] > ATTEMPT_RANK[b.status];
}

/**
 * The facts of a payment that says of itself (by what we wrote on it) which order it is for. Money of a payment that names
 * another order, or none, is kept apart: it never pays, it puts the order in review (reliability.md F39).
 */
export function factsFor(
  orderId: string,
  { metadata, facts }: { metadata: { orderId?: string }; facts: PaymentFact[] },
): PaymentFact[] {
  if (metadata.orderId === orderId) return facts;
  return facts.map((fact) => (fact.kind === 'captured' ? { ...fact, forAnotherOrder: true } : fact));
}

/** What still counts of a payment that was given up for another: its money, not its failed attempts. */
export function withoutAttempts(facts: PaymentFact[]): PaymentFact[] {
  return facts.filter((fact) => fact.kind !== 'attempt');
}
