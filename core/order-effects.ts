import {
  isExact,
  refundTotal,
  returnedBeyond,
  returnedOf,
  settlingPayment,
  settlingPayments,
} from './order-money.ts';
import type { Move, OrderState } from './order-state.ts';
import type { Dispute, PaymentFacts } from './payment-facts.ts';

export type OrderEffect =
  | { kind: 'paid' }
  /** `observedAt` distinguishes this attempt from earlier ones. */
  | { kind: 'payment_processing'; observedAt: number }
  | { kind: 'payment_held'; paymentId: string; reason: string }
  /** `observedAt` is set if the payment was processing: the buyer was promised a message. */
  | { kind: 'payment_failed'; observedAt?: number }
  /** The buyer was informed that the payment is processing, under review or received. */
  | { kind: 'order_canceled' }
  /** Cents: what this refund returned, and what was returned in total. */
  | { kind: 'refunded'; amount: number; total: number; refundIds: string[] }
  | { kind: 'refund_failed'; refundId: string }
  | { kind: 'dispute_opened'; disputeId: string }
  /** Reopened after it was closed, or evidence is requested by another date. */
  | { kind: 'dispute_reopened'; disputeId: string; observedAt: number }
  | { kind: 'dispute_closed'; disputeId: string; outcome: 'won' | 'lost'; observedAt: number }
  /** Cents: more went back of a payment than it took. */
  | { kind: 'double_credit'; paymentId: string; taken: number; returned: number }
  | { kind: 'capture_mismatch'; paymentId: string }
  /** Money beside the payment that settles the order: it did not fit before, or was won back from a dispute. */
  | { kind: 'extra_payment'; paymentId: string }
  | { kind: 'duplicate_payment'; paymentId: string }
  /** Replaces the payment that settled the order. */
  | { kind: 'payment_kept'; paymentId: string };

/** What follows from the difference between two states of an order, for people and for the provider. */
export function effectsOf(before: OrderState, next: OrderState, moves: Move[]): OrderEffect[] {
  return [
    ...effectsOfPayment(before, next.facts, moves),
    ...effectsOfHold(before, next),
    ...effectsOfCaptures(before, next.facts),
    ...effectsOfSurplus(before, next.facts),
    ...effectsOfRefunds(before, next.facts),
    ...effectsOfDisputes(before, next.facts),
    ...effectsOfDoubleCredit(before, next.facts),
    ...effectsOfKept(before, next.facts),
  ];
}

function effectsOfPayment(before: OrderState, facts: PaymentFacts, moves: Move[]): OrderEffect[] {
  const wasPaid = settlingPayments(before, before.facts).length > 0;
  if (!wasPaid && settlingPayments(before, facts).length > 0) return [{ kind: 'paid' }];
  const observedAt = facts.attempt?.observedAt ?? 0;
  return moves.flatMap(({ from, to }): OrderEffect[] => {
    if (to === 'processing') return [{ kind: 'payment_processing', observedAt }];
    if (to === 'canceled' && from !== 'pending' && from !== 'failed') return [{ kind: 'order_canceled' }];
    if (to !== 'failed') return [];
    return [{ kind: 'payment_failed', ...(from === 'processing' ? { observedAt } : {}) }];
  });
}

function effectsOfHold(before: OrderState, { status, facts }: OrderState): OrderEffect[] {
  const { paymentId, heldFor: reason } = facts.attempt ?? {};
  const isNew = reason !== before.facts.attempt?.heldFor && status === 'processing';
  return paymentId && reason && isNew ? [{ kind: 'payment_held', paymentId, reason }] : [];
}

function effectsOfCaptures(before: OrderState, facts: PaymentFacts): OrderEffect[] {
  const settledBy = settlingPayment(before, facts);
  return Object.entries(facts.captures)
    .filter(([paymentId]) => !(paymentId in before.facts.captures) && paymentId !== settledBy)
    .map(([paymentId, capture]) => ({
      kind: isExact(before, capture) ? 'duplicate_payment' : 'capture_mismatch',
      paymentId,
    }));
}

/** Payments besides the one that settles the order: known before it, or won back from a dispute since. */
function effectsOfSurplus(before: OrderState, facts: PaymentFacts): OrderEffect[] {
  const settledBy = settlingPayment(before, facts);
  if (!settledBy) return [];
  const known = settlingPayment(before, before.facts) ? [] : surplusOf(before.facts, facts);
  const wonBack = Object.values(facts.disputes).flatMap(({ paymentId }) =>
    paymentId && paymentId !== settledBy && isWonBack(before.facts, facts, paymentId) ? [paymentId] : [],
  );
  return [...known, ...wonBack].map((paymentId) => ({ kind: 'extra_payment', paymentId }));
}

function effectsOfRefunds(before: OrderState, facts: PaymentFacts): OrderEffect[] {
  const changed = Object.entries(facts.refunds ?? {}).filter(
    ([id, refund]) => before.facts.refunds?.[id]?.status !== refund.status,
  );
  // A reversal is the provider's own, and ends once the dispute is won.
  const failed = changed.filter(
    ([, { status, isReversal }]) => (status === 'failed' || status === 'canceled') && !isReversal,
  );
  const total = refundTotal(before, facts);
  const amount = total - refundTotal(before, before.facts);
  const refundIds = changed.filter(([, { status }]) => status === 'succeeded').map(([id]) => id);
  return [
    ...failed.map(([refundId]) => ({ kind: 'refund_failed', refundId }) as const),
    ...(amount > 0 ? [{ kind: 'refunded', amount, total, refundIds } as const] : []),
  ];
}

/** Whether a payment that had been lost to a dispute holds money again. */
function isWonBack(before: PaymentFacts, facts: PaymentFacts, paymentId: string): boolean {
  const wasLost = Object.entries(facts.disputes).some(
    ([id, dispute]) =>
      dispute.paymentId === paymentId && dispute.outcome === 'won' && before.disputes[id]?.outcome === 'lost',
  );
  return wasLost && returnedOf(facts, paymentId) < (facts.captures[paymentId]?.amount ?? 0);
}

/** The payments known before that still hold money of this order, but for those that an operator has dealt with. */
function surplusOf({ captures, decision }: PaymentFacts, facts: PaymentFacts): string[] {
  const dealtWith = decision?.status === 'paid' ? [] : (decision?.payments ?? []);
  return Object.keys(captures).filter((id) => {
    const { amount = 0, forAnotherOrder } = captures[id] ?? {};
    return !forAnotherOrder && !dealtWith.includes(id) && returnedOf(facts, id) < amount;
  });
}

function effectsOfDisputes(before: OrderState, facts: PaymentFacts): OrderEffect[] {
  return Object.entries(facts.disputes).flatMap(([disputeId, dispute]): OrderEffect[] => {
    const { outcome, observedAt = 0 } = dispute;
    const known = before.facts.disputes[disputeId];
    const effects: OrderEffect[] = known ? [] : [{ kind: 'dispute_opened', disputeId }];
    if (known && asksAgain(known, dispute)) effects.push({ kind: 'dispute_reopened', disputeId, observedAt });
    if (known?.outcome !== outcome && outcome !== 'open') {
      effects.push({ kind: 'dispute_closed', disputeId, outcome, observedAt });
    }
    return effects;
  });
}

function effectsOfDoubleCredit(before: OrderState, facts: PaymentFacts): OrderEffect[] {
  return Object.entries(facts.captures).flatMap(([paymentId, { amount: taken }]): OrderEffect[] => {
    const returned = returnedBeyond(facts, paymentId);
    const isKnown = paymentId in before.facts.captures && returnedBeyond(before.facts, paymentId);
    return returned && !isKnown ? [{ kind: 'double_credit', paymentId, taken, returned }] : [];
  });
}

function effectsOfKept(before: OrderState, facts: PaymentFacts): OrderEffect[] {
  const settledBy = settlingPayment(before, before.facts);
  const paymentId = settlingPayment(before, facts);
  return settledBy && paymentId && paymentId !== settledBy ? [{ kind: 'payment_kept', paymentId }] : [];
}

function asksAgain(known: Dispute, { outcome, evidenceDueAt }: Dispute): boolean {
  if (outcome !== 'open') return false;
  return known.outcome !== 'open' || (evidenceDueAt !== undefined && evidenceDueAt !== known.evidenceDueAt);
}
