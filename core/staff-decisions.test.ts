import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  anyFact,
  apply,
  captured,
  decision,
  dispute,
  price,
  refunded,
  shuffledWithRepeats,
} from '../testing/payment-facts.ts';
import { settle, statusOf } from './order-lifecycle.ts';
import type { OrderStatus } from './orders.ts';
import type { PaymentFact } from './payment-facts.ts';

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
      expect(settle(decided, [exact]).status).toBe('paid');
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
    ['a partial refund', refunded(400), 'partially_refunded'],
    ['a full refund', refunded(1_000), 'refunded'],
    ['a dispute', dispute('open'), 'disputed'],
  ] as const)('canceled, after an order that was decided to be paid has %s', (_what, news, status) => {
    const decided = apply([[odd], [decision('paid', 1)], [news]]);
    expect(decided.status).toBe(status);
    expect(settle(decided, [decision('canceled', 2)]).status).toBe('canceled');
  });

  test('whatever was known before: the status is the one that the facts call for', () => {
    const fact = fc.oneof(
      anyFact(),
      fc.constant(odd),
      fc.tuple(fc.constantFrom(...decisions), fc.nat({ max: 5 })).map(([status, at]) => decision(status, at)),
    );
    fc.assert(
      fc.property(fc.array(fact, { maxLength: 9 }), (facts) => {
        const { status, facts: known } = apply(facts.map((one) => [one]));
        const called = statusOf(price, known);
        // A new attempt has no status yet.
        if (called !== 'pending') expect(status).toBe(called);
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

  test.each<[string, object, OrderStatus]>([
    ['of less than the price settles the order', { amount: 1 }, 'paid'],
    ['of more than the price settles the order', { amount: all + 1 }, 'paid'],
    ['in another currency settles nothing', { currency: 'EUR' }, 'refunded'],
    ['of another order settles nothing', { forAnotherOrder: true }, 'refunded'],
  ])('one %s', (_what, change, status) => {
    const odd = { ...second, ...change } as PaymentFact;
    const facts = [captured, odd, refundOf('pi_1', all), keep('pi_2')];
    fc.assert(
      fc.property(shuffledWithRepeats(facts), (groups) => {
        expect(apply(groups).status).toBe(status);
      }),
      { numRuns: 300 },
    );
  });

  test('one of less than the price is refunded once all that it took went back', () => {
    const odd = { ...second, amount: 1_000 } as PaymentFact;
    const facts = [captured, odd, refundOf('pi_1', all), keep('pi_2')];
    expect(apply([facts, [refundOf('pi_2', 400)]])).toMatchObject({
      ...{ status: 'partially_refunded', amountRefunded: 400 },
    });
    expect(apply([facts, [refundOf('pi_2', 1_000)]])).toMatchObject({
      ...{ status: 'refunded', amountRefunded: 1_000 },
    });
  });
});

function byText(a: PaymentFact, b: PaymentFact): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}
