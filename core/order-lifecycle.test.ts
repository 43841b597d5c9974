import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { legalMoves, settle, statusOf } from './order-lifecycle.ts';
import { moneyTaken } from './order-money.ts';
import type { OrderState } from './order-state.ts';
import { type MoneyTaken, type OrderStatus, orderStatuses } from './orders.ts';
import { NO_FACTS, type PaymentFact } from './payment-facts.ts';

const price = { amount: 299_900, currency: 'USD' };
const order = (): OrderState => ({ ...price, status: 'pending', facts: NO_FACTS });

const captured: PaymentFact = { kind: 'captured', paymentId: 'pi_1', captureId: 'ch_1', ...price };
const attempt = (status: 'processing' | 'failed' | 'canceled', observedAt: number): PaymentFact => ({
  kind: 'attempt',
  paymentId: 'pi_1',
  status,
  reason: status === 'failed' ? 'Your card was declined.' : null,
  observedAt,
});
const expiry: PaymentFact = { kind: 'attempt', status: 'canceled', reason: 'expired', observedAt: 3 };
const refunded = (total: number): PaymentFact => ({ kind: 'refunded_total', paymentId: 'pi_1', total });
const dispute = (outcome: 'open' | 'won' | 'lost', amount = price.amount): PaymentFact => ({
  kind: 'dispute',
  disputeId: 'dp_1',
  amount,
  outcome,
  observedAt: { open: 1, won: 2, lost: 2 }[outcome],
});

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
          const settlement = settle(order(), [news]);
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

describe('money that does not fit the order', () => {
  const odd = { ...captured, amount: 1_000 } as PaymentFact;
  const lost = { ...dispute('lost', 600), paymentId: 'pi_1' } as PaymentFact;
  test.each<[string, PaymentFact[], MoneyTaken]>([
    ['was never taken', [attempt('failed', 1)], 'none'],
    ['is held', [odd], 'held'],
    ['is held, but for a part', [odd, refunded(400)], 'held'],
    ['went back', [odd, refunded(1_000)], 'returned'],
    ['went back in part, the bank took the rest', [odd, refunded(400), lost], 'returned'],
    [
      'is held while the bank has not decided',
      [odd, refunded(400), { ...dispute('open', 600), paymentId: 'pi_1' } as PaymentFact],
      'held',
    ],
    [
      'is held, though the bank took as much of another payment',
      [odd, refunded(400), { ...lost, paymentId: 'pi_2' } as PaymentFact],
      'held',
    ],
    [
      'is held beside a payment that went back',
      [odd, refunded(1_000), { ...odd, paymentId: 'pi_2' } as PaymentFact],
      'held',
    ],
  ])('%s', (_story, facts, expected) => {
    expect(moneyTaken(apply([facts]).facts)).toBe(expected);
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
        let state: OrderState = order();
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
    const { facts } = settle(order(), [{ kind: 'captured', paymentId: 'pi_1', ...price }, captured]);
    expect(facts.captures.pi_1?.captureId).toBe('ch_1');
  });
});

describe('facts can be corrected', () => {
  const refund = (
    status: 'pending' | 'succeeded' | 'failed' | 'canceled',
    observedAt: number,
    amount = price.amount,
    refundId = 're_1',
  ): PaymentFact => ({ kind: 'refund', refundId, paymentId: 'pi_1', amount, status, observedAt });

  test.each<[string, PaymentFact[], OrderStatus, number]>([
    ['a refund that failed', [captured, refund('succeeded', 1), refund('failed', 2)], 'paid', 0],
    ['a pending refund', [captured, refund('pending', 1)], 'paid', 0],
    [
      'a refund that came through',
      [captured, refund('pending', 1), refund('succeeded', 2)],
      'refunded',
      299_900,
    ],
    [
      'one of two refunds failed',
      [
        captured,
        refund('succeeded', 1, 100),
        refund('succeeded', 1, 50, 're_2'),
        refund('failed', 2, 50, 're_2'),
      ],
      'partially_refunded',
      100,
    ],
    [
      'a provider total beside refunds by id',
      [captured, refunded(299_900), refund('succeeded', 1), refund('failed', 2)],
      'paid',
      0,
    ],
    [
      'a dispute lost, then won',
      [
        captured,
        { ...dispute('lost'), observedAt: 3 } as PaymentFact,
        { ...dispute('won'), observedAt: 4 } as PaymentFact,
      ],
      'paid',
      0,
    ],
    [
      'a dispute won, then lost',
      [
        captured,
        { ...dispute('won'), observedAt: 3 } as PaymentFact,
        { ...dispute('lost'), observedAt: 4 } as PaymentFact,
      ],
      'refunded',
      299_900,
    ],
    [
      'a lost dispute that the provider also booked as a refund',
      [captured, { ...dispute('lost'), bookedAsRefund: true } as PaymentFact, refund('succeeded', 1)],
      'refunded',
      299_900,
    ],
    [
      'a lost dispute that the provider did not book as a refund',
      [captured, { ...dispute('lost'), bookedAsRefund: true } as PaymentFact],
      'refunded',
      299_900,
    ],
  ])('%s', (_story, facts, status, amountRefunded) => {
    fc.assert(
      fc.property(shuffledWithRepeats(facts), (groups) => {
        expect(apply(groups)).toMatchObject({ status, amountRefunded });
      }),
      { numRuns: 300 },
    );
  });

  test('a failed refund is reported once, and a later one is announced again', () => {
    const refundedOnce = apply([[captured], [refund('succeeded', 1)]]);
    const failed = settle(refundedOnce, [refund('failed', 2)]);
    expect(failed.moves).toEqual([{ from: 'refunded', to: 'paid' }]);
    expect(failed.effects).toEqual([{ kind: 'refund_failed', refundId: 're_1' }]);
    const again = settle({ ...refundedOnce, status: failed.status, facts: failed.facts }, [
      refund('succeeded', 3, 100, 're_2'),
    ]);
    expect(again.effects).toEqual([{ kind: 'refunded', amount: 100, total: 100, refundIds: ['re_2'] }]);
  });

  test('a canceled payment stays canceled', () => {
    expect(apply([[attempt('canceled', 1)], [attempt('processing', 2)]]).facts.attempt?.status).toBe(
      'canceled',
    );
  });
});

describe('an operator decides', () => {
  const odd: PaymentFact = { ...captured, amount: 1_000 } as PaymentFact;

  test('paid; what is refunded later is refunded', () => {
    const decided = apply([[odd], [decision('paid')]]);
    expect(decided.status).toBe('paid');
    const after = settle(decided, [{ kind: 'refunded_total', paymentId: 'pi_1', total: 1_000 }]);
    expect(after).toMatchObject({ status: 'refunded', amountRefunded: 1_000 });
  });

  test('paid; a dispute later is a dispute', () => {
    expect(settle(apply([[odd], [decision('paid')]]), [dispute('open')]).status).toBe('disputed');
  });

  test('later money needs a new decision', () => {
    const second: PaymentFact = { kind: 'captured', paymentId: 'pi_2', amount: 5, currency: 'USD' };
    for (const status of ['paid', 'refunded', 'canceled'] as const) {
      expect(settle(apply([[odd], [decision(status)]]), [second]).status).toBe('review');
    }
  });

  test('the exact money outweighs every decision', () => {
    const exact: PaymentFact = { kind: 'captured', paymentId: 'pi_2', ...price };
    for (const status of ['refunded', 'canceled'] as const) {
      const decided = apply([[odd], [decision(status)]]);
      expect(settle(decided, [exact]).facts.captures).toHaveProperty('pi_2');
      expect(['paid', status]).toContain(settle(decided, [exact]).status);
    }
  });

  const decisions = ['paid', 'refunded', 'canceled'] as const;
  test.each(decisions.flatMap((first) => decisions.map((second) => [first, second] as const)))(
    '%s, and then %s: the later decision counts',
    (first, second) => {
      const decided = apply([[odd], [decision(first, 1)], [decision(second, 2)]]);
      expect(decided).toMatchObject({ status: second, facts: { decision: { status: second } } });
    },
  );

  test.each([
    ['a partial refund', [{ ...refunded(400) }], 'partially_refunded'],
    ['a full refund', [{ ...refunded(1_000) }], 'refunded'],
    ['a dispute', [dispute('open')], 'disputed'],
  ] as const)('canceled, after an order that was decided to be paid has %s', (_what, news, status) => {
    const decided = apply([[odd], [decision('paid', 1)], [...news]]);
    expect(decided.status).toBe(status);
    expect(settle(decided, [decision('canceled', 2)]).status).toBe('canceled');
  });

  test('nothing that stays out of reach: the status is always the one that the facts call for', () => {
    const fact = fc.oneof(
      anyFact(),
      fc.constant<PaymentFact>({ ...odd, paymentId: 'pi_1' } as PaymentFact),
      fc.tuple(fc.constantFrom(...decisions), fc.nat({ max: 5 })).map(([status, at]) => decision(status, at)),
    );
    fc.assert(
      fc.property(fc.array(fact, { maxLength: 9 }), (facts) => {
        const state = apply(facts.map((one) => [one]));
        const wanted = statusOf(price, state.facts);
        // What never had a payment stays where it was when the buyer has only just begun again.
        if (wanted !== 'pending') expect(state.status).toBe(wanted);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('staff keep a second payment', () => {
  const second: PaymentFact = { ...captured, paymentId: 'pi_2', captureId: 'ch_2' } as PaymentFact;
  const keep = (paymentId: string, observedAt = 9): PaymentFact => ({ kind: 'kept', paymentId, observedAt });
  const refundOf = (paymentId: string, amount: number, failed = false): PaymentFact => ({
    ...{ kind: 'refund', refundId: `re_${paymentId}`, paymentId, amount },
    ...(failed ? { status: 'failed', observedAt: 2 } : { status: 'succeeded', observedAt: 1 }),
  });
  const all = price.amount;

  test.each<[string, PaymentFact[], OrderStatus, number]>([
    ['the first was refunded', [refundOf('pi_1', all)], 'paid', 0],
    [
      'a part of the second is refunded, too',
      [refundOf('pi_1', all), refundOf('pi_2', 7)],
      'partially_refunded',
      7,
    ],
    ['the second is refunded, too', [refundOf('pi_1', all), refundOf('pi_2', all)], 'refunded', all],
    ['the refund of the first fails later', [refundOf('pi_1', all), refundOf('pi_1', all, true)], 'paid', 0],
    ['the first is disputed later', [{ ...dispute('open'), paymentId: 'pi_1' } as PaymentFact], 'paid', 0],
    ['the second is disputed', [{ ...dispute('open'), paymentId: 'pi_2' } as PaymentFact], 'disputed', 0],
  ])('in any order, repetition and grouping: %s', (_story, facts, status, amountRefunded) => {
    fc.assert(
      fc.property(shuffledWithRepeats([captured, second, keep('pi_2'), ...facts]), (groups) => {
        expect(apply(groups)).toMatchObject({ status, amountRefunded });
      }),
      { numRuns: 300 },
    );
  });

  test('beside facts of any kind, the state does not depend on their order', () => {
    const decided = [captured, second, keep('pi_2'), keep('pi_1', 8)];
    fc.assert(
      fc.property(
        fc.array(anyFact(), { maxLength: 6 }).chain((facts) => shuffledWithRepeats([...decided, ...facts])),
        (groups) => {
          const { status, amountRefunded, facts } = apply(groups);
          const sorted = apply([Object.values(groups).flat().toSorted(byText)]);
          expect({ status, amountRefunded }).toEqual({
            status: sorted.status,
            amountRefunded: sorted.amountRefunded,
          });
          expect(facts.kept).toEqual({ paymentId: 'pi_2', observedAt: 9 });
        },
      ),
      { numRuns: 500 },
    );
  });

  test('once: the buyer gets one e-mail, and no second confirmation', () => {
    const refundedFirst = apply([[captured], [second], [refundOf('pi_1', all)]]);
    const kept = settle(refundedFirst, [keep('pi_2')]);
    expect(kept.moves).toEqual([{ from: 'refunded', to: 'paid' }]);
    expect(kept.effects).toEqual([{ kind: 'payment_kept', paymentId: 'pi_2' }]);
    const again = settle({ ...price, status: kept.status, facts: kept.facts }, [keep('pi_2', 10)]);
    expect(again).toMatchObject({ moves: [], effects: [], amountRefunded: 0 });
    const refunds = settle({ ...price, status: kept.status, facts: kept.facts }, [refundOf('pi_2', all)]);
    expect(refunds.effects).toEqual([{ kind: 'refunded', amount: all, total: all, refundIds: ['re_pi_2'] }]);
  });

  test('one that became known here only afterwards settles the order, and the other one is the duplicate', () => {
    expect(settle(apply([[keep('pi_2')]]), [second]).effects).toEqual([{ kind: 'paid' }]);
    const paid = apply([[keep('pi_2')], [second]]);
    expect(settle(paid, [captured]).effects).toEqual([{ kind: 'duplicate_payment', paymentId: 'pi_1' }]);
  });

  test('one that does not fit the order settles nothing', () => {
    const odd = { ...second, amount: 1 } as PaymentFact;
    expect(apply([[captured], [odd], [refundOf('pi_1', all)], [keep('pi_2')]]).status).toBe('refunded');
    expect(apply([[odd], [keep('pi_2')]]).status).toBe('review');
  });
});

describe('moves', () => {
  test('every move is legal, for any facts in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.array(anyFact(), { maxLength: 3 }), { maxLength: 10 }), (groups) => {
        let state = order();
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
    const settlement = settle(order(), [refunded(299_900), captured]);
    expect(settlement.moves).toEqual([
      { from: 'pending', to: 'paid' },
      { from: 'paid', to: 'refunded' },
    ]);
  });

  test('each effect happens once, however often it is reported', () => {
    const first = settle(order(), [captured]);
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

function reachableFrom(status: OrderStatus): Set<OrderStatus> {
  const reached = new Set([status]);
  for (const from of reached) for (const to of legalMoves[from]) reached.add(to);
  return reached;
}

const decision = (status: 'paid' | 'refunded' | 'canceled', observedAt = 9): PaymentFact => ({
  kind: 'decision',
  status,
  payments: ['pi_1'],
  observedAt,
});

function apply(groups: PaymentFact[][], from: OrderState = order()): OrderState & { amountRefunded: number } {
  let state = { ...from, amountRefunded: 0 };
  for (const group of groups) {
    const { status, facts, amountRefunded } = settle(state, group);
    state = { ...state, status, facts, amountRefunded };
  }
  return state;
}

function shuffledWithRepeats(facts: PaymentFact[]): fc.Arbitrary<PaymentFact[][]> {
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

function group(sequence: PaymentFact[], cuts: boolean[]): PaymentFact[][] {
  const groups: PaymentFact[][] = [[]];
  sequence.forEach((fact, index) => {
    if (cuts[index]) groups.push([]);
    groups.at(-1)?.push(fact);
  });
  return groups;
}

function byText(a: PaymentFact, b: PaymentFact): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

function permutations<T>(items: T[]): T[][] {
  if (items.length < 2) return [items];
  return items.flatMap((item, index) =>
    permutations(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]),
  );
}

function anyAttempt(): fc.Arbitrary<PaymentFact> {
  return fc
    .tuple(fc.constantFrom('processing', 'failed', 'canceled' as const), fc.nat({ max: 5 }))
    .map(([status, at]) => attempt(status as 'processing', at));
}

function anyFact(): fc.Arbitrary<PaymentFact> {
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
