import fc from 'fast-check';
import { settle } from '../core/order-lifecycle.ts';
import type { OrderState } from '../core/order-state.ts';
import { NO_FACTS, type PaymentFact } from '../core/payment-facts.ts';

export const price = { amount: 299_900, currency: 'USD' };
export const pendingOrder: OrderState = { ...price, status: 'pending', facts: NO_FACTS };

export const captured: PaymentFact = { kind: 'captured', paymentId: 'pi_1', captureId: 'ch_1', ...price };
export const expiry: PaymentFact = { kind: 'attempt', status: 'canceled', reason: 'expired', observedAt: 3 };

export function attempt(
  status: 'processing' | 'failed' | 'canceled',
  observedAt = 1,
  paymentId = 'pi_1',
): PaymentFact {
  return { kind: 'attempt', paymentId, status, reason: null, observedAt };
}

export function refunded(total: number): PaymentFact {
  return { kind: 'refunded_total', paymentId: 'pi_1', total };
}

export function dispute(outcome: 'open' | 'won' | 'lost', amount = price.amount): PaymentFact {
  const observedAt = { open: 1, won: 2, lost: 2 }[outcome];
  return { kind: 'dispute', disputeId: 'dp_1', amount, outcome, observedAt };
}

export function decision(status: 'paid' | 'refunded' | 'canceled', observedAt = 9): PaymentFact {
  return { kind: 'decision', status, payments: ['pi_1'], observedAt };
}

/** The order after these groups of facts, one after the other. */
export function apply(
  groups: PaymentFact[][],
  from: OrderState = pendingOrder,
): OrderState & { amountRefunded: number } {
  let state = { ...from, amountRefunded: 0 };
  for (const group of groups) {
    const { status, facts, amountRefunded } = settle(state, group);
    state = { ...state, status, facts, amountRefunded };
  }
  return state;
}

/** The facts and some repetitions, in any order and grouping. */
export function shuffledWithRepeats(facts: PaymentFact[]): fc.Arbitrary<PaymentFact[][]> {
  return fc
    .array(fc.constantFrom(...facts), { maxLength: 12 })
    .chain((repeats) =>
      fc.shuffledSubarray([...facts, ...repeats], { minLength: facts.length + repeats.length }),
    )
    .chain((sequence) =>
      fc
        .array(fc.boolean(), { minLength: sequence.length, maxLength: sequence.length })
        .map((cuts) => group(sequence, cuts)),
    );
}

export function anyFact(): fc.Arbitrary<PaymentFact> {
  return fc.oneof(
    anyAttempt(),
    fc.constant(expiry),
    fc.constant(captured),
    fc.tuple(fc.constantFrom('pending', 'succeeded', 'failed', 'canceled' as const), fc.nat({ max: 4 })).map(
      ([status, observedAt]): PaymentFact => ({
        kind: 'refund',
        refundId: 're_1',
        paymentId: 'pi_1',
        amount: 700,
        status: status as 'failed',
        observedAt,
      }),
    ),
    fc.integer({ min: 1, max: price.amount }).map(refunded),
    fc.constantFrom(...(['open', 'won', 'lost'] as const)).map((outcome) => dispute(outcome, 500)),
  );
}

export function anyAttempt(): fc.Arbitrary<PaymentFact> {
  return fc
    .tuple(fc.constantFrom('processing', 'failed', 'canceled' as const), fc.nat({ max: 5 }))
    .map(([status, at]) => attempt(status as 'processing', at));
}

function group(sequence: PaymentFact[], cuts: boolean[]): PaymentFact[][] {
  const groups: PaymentFact[][] = [[]];
  sequence.forEach((fact, index) => {
    if (cuts[index]) groups.push([]);
    groups.at(-1)?.push(fact);
  });
  return groups;
}
