import type { Money } from './money.ts';
import type { OrderStatus } from './orders.ts';
import { type Capture, learn, type PaymentFact, type PaymentFacts } from './payment-facts.ts';

/** The only legal moves of an order (design §4). */
export const legalMoves: Record<OrderStatus, readonly OrderStatus[]> = {
  pending: ['processing', 'paid', 'failed', 'canceled', 'review'],
  processing: ['paid', 'failed', 'canceled', 'review'],
  failed: ['processing', 'paid', 'canceled', 'review'],
  canceled: ['paid', 'review'],
  paid: ['partially_refunded', 'refunded', 'disputed'],
  partially_refunded: ['refunded', 'disputed'],
  disputed: ['paid', 'partially_refunded', 'refunded'],
  refunded: [],
  review: ['paid', 'refunded', 'canceled'],
};

/** Statuses in which the buyer has not paid and may still do so. */
export const unsettledStatuses = ['pending', 'processing', 'failed'] as const satisfies OrderStatus[];

export interface OrderState extends Money {
  status: OrderStatus;
  facts: PaymentFacts;
}

export interface Move {
  from: OrderStatus;
  to: OrderStatus;
}

/** What must follow from a change, besides the change itself. */
export type OrderEffect =
  | { kind: 'paid' }
  | { kind: 'payment_failed' }
  | { kind: 'refunded'; total: number }
  | { kind: 'dispute_opened'; disputeId: string }
  | { kind: 'dispute_closed'; disputeId: string }
  | { kind: 'capture_mismatch'; captureId: string }
  | { kind: 'duplicate_capture'; captureId: string };

export interface Settlement {
  status: OrderStatus;
  facts: PaymentFacts;
  amountRefunded: number;
  moves: Move[];
  effects: OrderEffect[];
}

/**
 * The rule of the whole pipeline: current state + provider facts → next state + effects.
 * Webhook, confirm call, capture call, reconciliation and operator all go through it. Pure; and because facts only
 * accumulate, every order of arrival and every repetition ends in the same state (property-tested).
 */
export function settle(order: OrderState, news: readonly PaymentFact[]): Settlement {
  const facts = news.reduce(learn, order.facts);
  const moves = path(order.status, statusOf(order, facts));
  return {
    status: moves.at(-1)?.to ?? order.status,
    facts,
    amountRefunded: amountRefunded(order, facts),
    moves,
    effects: [...effectsOfMoves(moves), ...effectsOfFacts(order, facts)],
  };
}

/** The status that the facts call for. Money wins: one exact capture outweighs every other fact about an attempt. */
export function statusOf(price: Money, facts: PaymentFacts): OrderStatus {
  if (settlingCapture(price, facts)) return statusOfPaid(price, facts);
  if (facts.decision) return facts.decision;
  if (Object.keys(facts.captures).length > 0) return 'review';
  return facts.attempt?.status ?? 'pending';
}

function statusOfPaid(price: Money, facts: PaymentFacts): OrderStatus {
  const refunded = amountRefunded(price, facts);
  if (refunded >= price.amount) return 'refunded';
  if (Object.values(facts.disputes).some((dispute) => dispute.outcome === 'open')) return 'disputed';
  return refunded > 0 ? 'partially_refunded' : 'paid';
}

/** The capture of exactly the order's amount and currency that pays it: the first one learnt, should there be two. */
export function settlingCapture(price: Money, facts: PaymentFacts): string | undefined {
  return Object.keys(facts.captures).find((id) => isExact(price, facts.captures[id]));
}

/** Cents that went back to the buyer: refunds of the settling capture and disputes lost, never more than the price. */
export function amountRefunded(price: Money, facts: PaymentFacts): number {
  const capture = settlingCapture(price, facts);
  if (!capture) return 0;
  const lost = Object.values(facts.disputes)
    .filter((dispute) => dispute.outcome === 'lost' && !dispute.bookedAsRefund)
    .reduce((sum, dispute) => sum + dispute.amount, 0);
  return Math.min(price.amount, (facts.refunded[capture] ?? 0) + lost);
}

function isExact(price: Money, capture: Capture | undefined): boolean {
  return capture?.amount === price.amount && capture.currency === price.currency && !capture.forAnotherOrder;
}

/** Legal moves that lead from one status to another, through `paid` where the events overtook each other; else none. */
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

function effectsOfMoves(moves: Move[]): OrderEffect[] {
  return moves.flatMap((move): OrderEffect[] => {
    if (move.to === 'paid' && move.from !== 'disputed') return [{ kind: 'paid' }];
    if (move.to === 'failed') return [{ kind: 'payment_failed' }];
    return [];
  });
}

function effectsOfFacts(before: OrderState, facts: PaymentFacts): OrderEffect[] {
  const effects: OrderEffect[] = [];
  const settledBy = settlingCapture(before, facts);
  for (const [captureId, capture] of Object.entries(facts.captures)) {
    if (captureId in before.facts.captures || captureId === settledBy) continue;
    effects.push({ kind: isExact(before, capture) ? 'duplicate_capture' : 'capture_mismatch', captureId });
  }
  for (const [disputeId, dispute] of Object.entries(facts.disputes)) {
    const outcomeBefore = before.facts.disputes[disputeId]?.outcome;
    if (!outcomeBefore) effects.push({ kind: 'dispute_opened', disputeId });
    if (outcomeBefore !== dispute.outcome && dispute.outcome !== 'open') {
      effects.push({ kind: 'dispute_closed', disputeId });
    }
  }
  const total = settledBy ? (facts.refunded[settledBy] ?? 0) : 0;
  const totalBefore = settlingCapture(before, before.facts)
    ? (before.facts.refunded[settledBy ?? ''] ?? 0)
    : 0;
  if (total > totalBefore) effects.push({ kind: 'refunded', total });
  return effects;
}
