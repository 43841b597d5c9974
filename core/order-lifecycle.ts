import type { Money } from './money.ts';
import { effectsOf, type OrderEffect } from './order-effects.ts';
import {
  amountRefunded,
  amountTaken,
  decisionOf,
  settlingDisputes,
  settlingPayments,
} from './order-money.ts';
import type { Move, OrderState } from './order-state.ts';
import type { OrderStatus } from './orders.ts';
import { addFact, type PaymentFact, type PaymentFacts } from './payment-facts.ts';

/**
 * The legal moves. Those out of `refunded` correct a failed refund; `canceled` to `processing` is a late capture. A corrected
 * decision moves `canceled` to `refunded`, or a paid order to `canceled`.
 */
export const legalMoves: Record<OrderStatus, readonly OrderStatus[]> = {
  pending: ['processing', 'paid', 'failed', 'canceled', 'review'],
  processing: ['paid', 'failed', 'canceled', 'review'],
  failed: ['processing', 'paid', 'canceled', 'review'],
  canceled: ['processing', 'paid', 'refunded', 'review'],
  paid: ['partially_refunded', 'refunded', 'disputed', 'canceled', 'review'],
  partially_refunded: ['paid', 'refunded', 'disputed', 'canceled', 'review'],
  disputed: ['paid', 'partially_refunded', 'refunded', 'canceled', 'review'],
  refunded: ['paid', 'partially_refunded', 'disputed', 'canceled', 'review'],
  review: ['paid', 'refunded', 'canceled'],
};

/** Statuses in which the buyer has not paid and may still do so. */
export const unsettledStatuses = ['pending', 'processing', 'failed'] as const satisfies OrderStatus[];

export function isUnsettled(status: OrderStatus): boolean {
  return (unsettledStatuses as readonly OrderStatus[]).includes(status);
}

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
  const status = moves.at(-1)?.to ?? order.status;
  return {
    status,
    facts,
    amountRefunded: amountRefunded(order, facts),
    moves,
    effects: effectsOf(order, { ...order, status, facts }, moves),
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
