import type { Money } from './money.ts';
import type { MoneyTaken, OrderStatus } from './orders.ts';
import {
  addFact,
  type Capture,
  type Decision,
  type Dispute,
  type PaymentFact,
  type PaymentFacts,
} from './payment-facts.ts';

/** The legal moves. Those out of `refunded` correct a failed refund; `canceled` to `processing` is a late capture. */
export const legalMoves: Record<OrderStatus, readonly OrderStatus[]> = {
  pending: ['processing', 'paid', 'failed', 'canceled', 'review'],
  processing: ['paid', 'failed', 'canceled', 'review'],
  failed: ['processing', 'paid', 'canceled', 'review'],
  canceled: ['processing', 'paid', 'review'],
  paid: ['partially_refunded', 'refunded', 'disputed', 'review'],
  partially_refunded: ['paid', 'refunded', 'disputed', 'review'],
  disputed: ['paid', 'partially_refunded', 'refunded', 'review'],
  refunded: ['paid', 'partially_refunded', 'disputed', 'review'],
  review: ['paid', 'refunded', 'canceled'],
};

/** Statuses in which the buyer has not paid and may still do so. */
export const unsettledStatuses = ['pending', 'processing', 'failed'] as const satisfies OrderStatus[];

export function isUnsettled(status: OrderStatus): boolean {
  return (unsettledStatuses as readonly OrderStatus[]).includes(status);
}

export interface OrderState extends Money {
  status: OrderStatus;
  facts: PaymentFacts;
}

export interface Move {
  from: OrderStatus;
  to: OrderStatus;
}

export type OrderEffect =
  | { kind: 'paid' }
  | { kind: 'payment_processing' }
  | { kind: 'payment_held'; paymentId: string; reason: string }
  | { kind: 'payment_failed' }
  /** The buyer was informed that the payment is processing or under review, and expects an outcome. */
  | { kind: 'order_canceled' }
  /** Cents: what this refund returned, and what was returned in all. */
  | { kind: 'refunded'; amount: number; total: number; refundIds: string[] }
  | { kind: 'refund_failed'; refundId: string }
  | { kind: 'dispute_opened'; disputeId: string }
  /** Reopened after it was closed, or evidence is requested by another date. */
  | { kind: 'dispute_reopened'; disputeId: string; observedAt: number }
  | { kind: 'dispute_closed'; disputeId: string; outcome: 'won' | 'lost'; observedAt: number }
  | { kind: 'capture_mismatch'; paymentId: string }
  /** Money that did not fit the order, which the exact payment has made surplus. */
  | { kind: 'extra_payment'; paymentId: string }
  | { kind: 'duplicate_payment'; paymentId: string };

export interface Settlement {
  status: OrderStatus;
  facts: PaymentFacts;
  amountRefunded: number;
  moves: Move[];
  effects: OrderEffect[];
}

/**
 * The rule of the whole pipeline: current state + reported facts → next state + effects. Pure; the status is a
 * function of the facts alone, so every order of arrival and every repetition ends in the same state (property-tested).
 */
export function settle(order: OrderState, news: readonly PaymentFact[]): Settlement {
  const facts = news.reduce(addFact, order.facts);
  const moves = path(order.status, statusOf(order, facts));
  return {
    status: moves.at(-1)?.to ?? order.status,
    facts,
    amountRefunded: amountRefunded(order, facts),
    moves,
    effects: [
      ...effectsOfPayment(order, facts, moves),
      ...effectsOfHold(order, facts),
      ...effectsOfMoney(order, facts),
      ...effectsOfDisputes(order, facts),
    ],
  };
}

/** The status that the facts call for. Money wins: one exact capture outweighs every other fact about an attempt. */
export function statusOf(price: Money, facts: PaymentFacts): OrderStatus {
  if (settlingPayments(price, facts).length > 0) return statusOfPaid(price, facts);
  const decision = decisionOf(facts);
  if (decision) return decision.status;
  if (Object.keys(facts.captures).length > 0) return 'review';
  if (facts.expired && facts.attempt?.status !== 'processing') return 'canceled';
  return facts.attempt?.status ?? 'pending';
}

function statusOfPaid(price: Money, facts: PaymentFacts): OrderStatus {
  const refunded = amountRefunded(price, facts);
  if (refunded > 0 && refunded >= amountTaken(price, facts)) return 'refunded';
  if (settlingDisputes(price, facts).some((dispute) => dispute.outcome === 'open')) return 'disputed';
  return refunded > 0 ? 'partially_refunded' : 'paid';
}

/** The payment of exactly the order's amount and currency that settles it: the first one known, should there be two. */
export function settlingPayment(price: Money, facts: PaymentFacts): string | undefined {
  return Object.entries(facts.captures).find(([, capture]) => isExact(price, capture))?.[0];
}

/** The payments whose money pays the order: the exact one, or those that an operator accepted. */
function settlingPayments(price: Money, facts: PaymentFacts): string[] {
  const exact = settlingPayment(price, facts);
  if (exact) return [exact];
  const decision = decisionOf(facts);
  return decision?.status === 'paid' ? decision.payments : [];
}

/** The operator's decision, as long as it was made on all of the money. */
function decisionOf({ decision, captures }: PaymentFacts): Decision | null {
  const isComplete = Object.keys(captures).every((id) => decision?.payments.includes(id));
  return isComplete ? decision : null;
}

function amountTaken(price: Money, facts: PaymentFacts): number {
  const taken = settlingPayments(price, facts).map((id) => facts.captures[id]?.amount ?? 0);
  return Math.min(price.amount, sum(taken));
}

/** Cents returned to the buyer: refunds of the settling payment and disputes lost, never more than the price. */
export function amountRefunded(price: Money, facts: PaymentFacts): number {
  const payments = settlingPayments(price, facts);
  if (payments.length === 0) return 0;
  const refunds = payments.flatMap((id) => refundsOf(facts, id));
  const lost = settlingDisputes(price, facts).filter(({ outcome }) => outcome === 'lost');
  return Math.min(price.amount, sum(refunds) + sum(withoutBooked(lost, refunds)));
}

/** Whether money was taken, exact or not, and whether all of it was returned. */
export function moneyTaken(facts: PaymentFacts): MoneyTaken {
  const captures = Object.entries(facts.captures);
  if (captures.length === 0) return 'none';
  return captures.every(([id, { amount }]) => returnedOf(facts, id) >= amount) ? 'returned' : 'held';
}

/** Cents of one payment that went back to the buyer. */
function returnedOf(facts: PaymentFacts, paymentId: string): number {
  const refunds = refundsOf(facts, paymentId);
  const lost = Object.values(facts.disputes).filter(
    (dispute) => dispute.paymentId === paymentId && dispute.outcome === 'lost',
  );
  return sum(refunds) + sum(withoutBooked(lost, refunds));
}

/** Cents of the lost disputes that the provider did not book as a refund as well. */
function withoutBooked(lost: Dispute[], refunds: number[]): number[] {
  const left = [...refunds];
  return lost.flatMap(({ amount, bookedAsRefund }) => {
    const booking = bookedAsRefund ? left.indexOf(amount) : -1;
    if (booking < 0) return [amount];
    left.splice(booking, 1);
    return [];
  });
}

/** Disputes of the money that pays the order: one about a second payment is that payment's own. */
function settlingDisputes(price: Money, facts: PaymentFacts): Dispute[] {
  const payments = settlingPayments(price, facts);
  return Object.values(facts.disputes).filter(
    ({ paymentId }) => paymentId === undefined || payments.includes(paymentId),
  );
}

function refundTotal(price: Money, facts: PaymentFacts): number {
  const refunds = settlingPayments(price, facts).flatMap((id) => refundsOf(facts, id));
  return Math.min(price.amount, sum(refunds));
}

/** Cents of each refund of a payment that succeeded; the provider's total where it names no refunds. */
function refundsOf(facts: PaymentFacts, paymentId: string): number[] {
  const refunds = Object.values(facts.refunds ?? {}).filter((refund) => refund.paymentId === paymentId);
  if (refunds.length === 0) return [facts.refunded[paymentId] ?? 0];
  return refunds.filter(({ status }) => status === 'succeeded').map(({ amount }) => amount);
}

function sum(amounts: number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

function isExact(price: Money, capture: Capture): boolean {
  return capture.amount === price.amount && capture.currency === price.currency && !capture.forAnotherOrder;
}

/** The legal moves from one status to another, through `paid` if events arrived out of order; otherwise none. */
function path(from: OrderStatus, to: OrderStatus): Move[] {
  if (from === to) return [];
  if (legalMoves[from].includes(to)) return [{ from, to }];
  if (legalMoves[from].includes('paid') && legalMoves.paid.includes(to)) {
    return [
      { from, to: 'paid' },
      { from: 'paid', to },
    ];
  }
  return [];
}

function effectsOfPayment(before: OrderState, facts: PaymentFacts, moves: Move[]): OrderEffect[] {
  const wasPaid = settlingPayments(before, before.facts).length > 0;
  if (!wasPaid && settlingPayments(before, facts).length > 0) return [{ kind: 'paid' }];
  return moves.flatMap(({ from, to }): OrderEffect[] => {
    if (to === 'processing') return [{ kind: 'payment_processing' }];
    if (to === 'canceled' && (from === 'processing' || from === 'review'))
      return [{ kind: 'order_canceled' }];
    return to === 'failed' ? [{ kind: 'payment_failed' }] : [];
  });
}

function effectsOfHold(before: OrderState, facts: PaymentFacts): OrderEffect[] {
  const { paymentId, heldFor: reason } = facts.attempt ?? {};
  const isNew = reason !== before.facts.attempt?.heldFor && statusOf(before, facts) === 'processing';
  return paymentId && reason && isNew ? [{ kind: 'payment_held', paymentId, reason }] : [];
}

function effectsOfMoney(before: OrderState, facts: PaymentFacts): OrderEffect[] {
  const effects: OrderEffect[] = [];
  const settledBy = settlingPayment(before, facts);
  for (const [paymentId, capture] of Object.entries(facts.captures)) {
    if (paymentId in before.facts.captures || paymentId === settledBy) continue;
    effects.push({ kind: isExact(before, capture) ? 'duplicate_payment' : 'capture_mismatch', paymentId });
  }
  if (settledBy && !settlingPayment(before, before.facts)) {
    effects.push(
      ...surplusOf(before.facts, facts).map((paymentId) => ({ kind: 'extra_payment', paymentId }) as const),
    );
  }
  const changed = Object.entries(facts.refunds ?? {}).filter(
    ([id, refund]) => before.facts.refunds?.[id]?.status !== refund.status,
  );
  for (const [refundId, { status }] of changed) {
    if (status === 'failed' || status === 'canceled') effects.push({ kind: 'refund_failed', refundId });
  }
  const total = refundTotal(before, facts);
  const amount = total - refundTotal(before, before.facts);
  const refundIds = changed.filter(([, { status }]) => status === 'succeeded').map(([id]) => id);
  if (amount > 0) effects.push({ kind: 'refunded', amount, total, refundIds });
  return effects;
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

function asksAgain(known: Dispute, { outcome, evidenceDueAt }: Dispute): boolean {
  if (outcome !== 'open') return false;
  return known.outcome !== 'open' || (evidenceDueAt !== undefined && evidenceDueAt !== known.evidenceDueAt);
}
