import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  anyAttempt,
  anyFact,
  apply,
  attempt,
  captured,
  decision,
  dispute,
  expiry,
  pendingOrder,
  price,
  refunded,
  shuffledWithRepeats,
} from '../testing/payment-facts.ts';
import { isUnsettled, legalMoves, settle } from './order-lifecycle.ts';
import type { OrderState } from './order-state.ts';
import { type OrderStatus, orderStatuses } from './orders.ts';
import type { PaymentFact } from './payment-facts.ts';

describe('events of a payment lead to the same state in any order, repetition and grouping', () => {
  test.each<[string, PaymentFact[], OrderStatus]>([
    [
      'declined, then paid',
      [attempt('processing', 1), attempt('failed', 2), attempt('processing', 3), captured],
      'paid',
    ],
    ['declined for good', [attempt('processing', 1), attempt('failed', 2)], 'failed'],
    ['declined, then tried again', [attempt('failed', 1), attempt('processing', 2)], 'processing'],
    ['expired', [attempt('failed', 1), attempt('canceled', 2)], 'canceled'],
    ['canceled, but the money came', [attempt('canceled', 1), captured], 'paid'],
    ['expired while the payment is under way', [expiry, attempt('processing', 1)], 'processing'],
    ['expired, and then denied', [expiry, attempt('processing', 1), attempt('failed', 2)], 'canceled'],
    ['denied, and then expired', [attempt('failed', 1), expiry], 'canceled'],
    ['expired, and then paid', [expiry, attempt('processing', 1), captured], 'paid'],
    ['refunded in three parts', [captured, refunded(100), refunded(5_000), refunded(299_900)], 'refunded'],
    ['refunded in part', [captured, attempt('failed', 1), refunded(100)], 'partially_refunded'],
    ['disputed', [captured, dispute('open')], 'disputed'],
    ['dispute won', [captured, dispute('open'), dispute('won')], 'paid'],
    [
      'dispute won after a partial refund',
      [captured, refunded(7), dispute('open'), dispute('won')],
      'partially_refunded',
    ],
    ['dispute lost', [captured, dispute('open'), dispute('lost')], 'refunded'],
    [
      'dispute lost over a part',
      [captured, dispute('open', 500), dispute('lost', 500)],
      'partially_refunded',
    ],
    ['wrong amount', [{ ...captured, amount: 299_899 } as PaymentFact], 'review'],
    ['wrong currency', [attempt('processing', 1), { ...captured, currency: 'EUR' } as PaymentFact], 'review'],
  ])('%s', (_story, facts, expected) => {
    fc.assert(
      fc.property(shuffledWithRepeats(facts), (groups) => {
        expect(apply(groups).status).toBe(expected);
      }),
      { numRuns: 300 },
    );
  });

  test('all 120 orders of refund, failed attempt, success, dispute and dispute won lead to the same state', () => {
    const facts = [refunded(100), attempt('failed', 1), captured, dispute('open'), dispute('won')];
    const ends = new Set(permutations(facts).map((sequence) => apply(sequence.map((fact) => [fact])).status));
    expect([...ends]).toEqual(['partially_refunded']);
  });

  test('facts of any kind: the state depends on the facts, not on their order', () => {
    fc.assert(
      fc.property(fc.array(anyFact(), { maxLength: 8 }), fc.infiniteStream(fc.nat()), (facts, keys) => {
        const shuffled = facts
          .map((fact) => ({ fact, key: keys.next().value }))
          .sort((a, b) => a.key - b.key);
        const inOrder = apply([facts]);
        const atOnce = apply([shuffled.map(({ fact }) => fact)]);
        expect(atOnce.status).toBe(inOrder.status);
        expect(atOnce.amountRefunded).toBe(inOrder.amountRefunded);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('money wins', () => {
  test('once paid, no later attempt changes it', () => {
    fc.assert(
      fc.property(fc.array(anyAttempt(), { maxLength: 10 }), (attempts) => {
        const paid = apply([[captured]]);
        expect(
          apply(
            attempts.map((fact) => [fact]),
            paid,
          ).status,
        ).toBe('paid');
      }),
    );
  });

  test('an amount or currency that differs is never paid', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000_000 }),
        fc.constantFrom('USD', 'EUR', 'usd'),
        (amount, currency) => {
          fc.pre(amount !== price.amount || currency !== 'USD');
          const news: PaymentFact = { kind: 'captured', paymentId: 'pi_x', amount, currency };
          const settlement = settle(pendingOrder, [news]);
          expect(settlement.status).toBe('review');
          expect(settlement.effects).toEqual([{ kind: 'capture_mismatch', paymentId: 'pi_x' }]);
        },
      ),
    );
  });

  test('a second payment leaves the order paid once and is given back', () => {
    const paid = apply([[captured]]);
    const second: PaymentFact = { kind: 'captured', paymentId: '8AB1', ...price };
    const settlement = settle(paid, [second, second]);
    expect(settlement.status).toBe('paid');
    expect(settlement.moves).toEqual([]);
    expect(settlement.effects).toEqual([{ kind: 'duplicate_payment', paymentId: '8AB1' }]);
  });
});

describe('one payment is one payment', () => {
  test('in every report, with and without its charge, before and after', () => {
    const copies: PaymentFact[] = [
      { kind: 'captured', paymentId: 'pi_1', ...price },
      { kind: 'captured', paymentId: 'pi_1', captureId: 'ch_1', ...price },
      { kind: 'captured', paymentId: 'pi_1', captureId: 'py_1', provider: 'stripe', ...price },
    ];
    const anyCopies = fc.array(fc.array(fc.constantFrom(...copies), { minLength: 1, maxLength: 4 }), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(anyCopies, (groups) => {
        let state: OrderState = pendingOrder;
        const effects: string[] = [];
        for (const group of groups) {
          const next = settle(state, group);
          effects.push(...next.effects.map(({ kind }) => kind));
          state = { ...state, status: next.status, facts: next.facts };
        }
        expect(effects).toEqual(['paid']);
        expect(Object.keys(state.facts.captures)).toEqual(['pi_1']);
      }),
      { numRuns: 500 },
    );
  });

  test('a charge missing from the first report is added', () => {
    const { facts } = settle(pendingOrder, [{ kind: 'captured', paymentId: 'pi_1', ...price }, captured]);
    expect(facts.captures.pi_1?.captureId).toBe('ch_1');
  });
});

describe('moves', () => {
  test('every move is legal, for any facts in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.array(anyFact(), { maxLength: 3 }), { maxLength: 10 }), (groups) => {
        let state = pendingOrder;
        for (const group of groups) {
          const settlement = settle(state, group);
          for (const move of settlement.moves) expect(legalMoves[move.from]).toContain(move.to);
          expect(settlement.moves.at(0)?.from ?? state.status).toBe(state.status);
          state = { ...state, status: settlement.status, facts: settlement.facts };
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('a refund that arrives before its payment records both moves', () => {
    const settlement = settle(pendingOrder, [refunded(299_900), captured]);
    expect(settlement.moves).toEqual([
      { from: 'pending', to: 'paid' },
      { from: 'paid', to: 'refunded' },
    ]);
  });

  test('each effect happens once, however often it is reported', () => {
    const first = settle(pendingOrder, [captured]);
    expect(first.effects).toEqual([{ kind: 'paid' }]);
    const again = settle({ ...price, status: first.status, facts: first.facts }, [captured, captured]);
    expect(again.effects).toEqual([]);
    expect(again.moves).toEqual([]);
  });

  test('winning a dispute is not a second sale', () => {
    const disputed = apply([[captured], [dispute('open')]]);
    const settlement = settle(disputed, [dispute('won')]);
    expect(settlement.status).toBe('paid');
    expect(settlement.effects).toEqual([
      { kind: 'dispute_closed', disputeId: 'dp_1', outcome: 'won', observedAt: 2 },
    ]);
  });

  test('an operator decides an order in review', () => {
    const inReview = apply([[{ ...captured, amount: 1 } as PaymentFact]]);
    for (const status of ['paid', 'refunded', 'canceled'] as const) {
      expect(settle(inReview, [decision(status)]).moves).toEqual([{ from: 'review', to: status }]);
    }
  });

  test('every status lists its legal moves, and can reach every final status', () => {
    expect(Object.keys(legalMoves).sort()).toEqual([...orderStatuses].sort());
    for (const status of orderStatuses) {
      expect([...reachableFrom(status)], status).toEqual(
        expect.arrayContaining(['paid', 'partially_refunded', 'refunded', 'disputed', 'review', 'canceled']),
      );
    }
  });
});

test('an order is unsettled while the buyer may still pay', () => {
  expect(orderStatuses.filter(isUnsettled)).toEqual(['pending', 'processing', 'failed']);
});

test('an order whose payment was canceled is not moved by a later attempt', () => {
  const canceled = apply([[attempt('canceled')]]);
  expect(settle(canceled, [attempt('processing', 2)])).toMatchObject({
    status: 'canceled',
    moves: [],
    effects: [],
  });
});

function reachableFrom(status: OrderStatus): Set<OrderStatus> {
  const reached = new Set([status]);
  for (const from of reached) for (const to of legalMoves[from]) reached.add(to);
  return reached;
}

function permutations<T>(items: T[]): T[][] {
  if (items.length < 2) return [items];
  return items.flatMap((item, index) =>
    permutations(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]),
  );
}
