import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  apply,
  attempt,
  captured,
  dispute,
  price,
  refunded,
  shuffledWithRepeats,
} from '../testing/payment-facts.ts';
import { settle } from './order-lifecycle.ts';
import type { OrderStatus } from './orders.ts';
import type { PaymentFact, RefundFact } from './payment-facts.ts';

describe('facts can be corrected', () => {
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
    ['a booked loss that was won on appeal', [captured, booking(), ...appealed()], 'paid', 0],
    [
      'a booked loss that was won on appeal before we saw it lost',
      [captured, booking(), ...appealed().slice(-1)],
      'paid',
      0,
    ],
    [
      'a loss won on appeal before we saw it lost, and a refund of as much afterwards',
      [captured, booking(), ...appealed().slice(-1), refund('succeeded', 5, price.amount, 're_2')],
      'refunded',
      299_900,
    ],
    [
      'a booked loss that is won on appeal, not decided yet',
      [captured, booking(), ...appealed('open')],
      'refunded',
      299_900,
    ],
    [
      'a loss shown as a total only, and won on appeal',
      [captured, refunded(299_900), ...appealed()],
      'paid',
      0,
    ],
    [
      'a loss won on appeal, and a refund of as much afterwards',
      [captured, booking(), ...appealed(), refund('succeeded', 5, price.amount, 're_2')],
      'refunded',
      299_900,
    ],
    [
      'a loss won on appeal that had no booking, and a refund of as much',
      [captured, ...appealed(), refund('succeeded', 5)],
      'refunded',
      299_900,
    ],
    [
      'a loss won on appeal, and the reversal of another amount',
      [captured, ...appealed(), { ...booking(), amount: 5 } as PaymentFact],
      'partially_refunded',
      5,
    ],
    [
      'a loss won on appeal, and lost again with another booking',
      [
        captured,
        booking(),
        ...appealed(),
        { ...dispute('lost'), bookedAsRefund: true, paymentId: 'pi_1', observedAt: 5 } as PaymentFact,
        { ...booking(), refundId: 're_2' } as PaymentFact,
      ],
      'refunded',
      299_900,
    ],
    [
      'a full loss won on appeal, and lost again in part',
      [
        captured,
        booking(),
        ...appealed(),
        lostInPart(5),
        { ...booking(), refundId: 're_2', amount: 100_000 },
      ],
      'partially_refunded',
      100_000,
    ],
    [
      'a full loss that an appeal reduces, not booked yet',
      [captured, booking(), ...appealed('open'), lostInPart(5)],
      'partially_refunded',
      100_000,
    ],
    [
      'a loss in part that an appeal makes a full one',
      [
        captured,
        lostInPart(2),
        ...appealed('open').slice(1),
        { ...lostInPart(5), amount: 299_900 },
        booking(),
      ],
      'refunded',
      299_900,
    ],
    [
      'a loss won on appeal of another payment',
      [captured, booking(), ...appealed('won', 'pi_2')],
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

  function refund(
    status: 'pending' | 'succeeded' | 'failed' | 'canceled',
    observedAt: number,
    amount = price.amount,
    refundId = 're_1',
  ): PaymentFact {
    return { kind: 'refund', refundId, paymentId: 'pi_1', amount, status, observedAt };
  }

  function booking() {
    return { ...refund('succeeded', 3), isReversal: true } as RefundFact;
  }

  function lostInPart(observedAt: number) {
    const part = { amount: 100_000, bookedAsRefund: true, paymentId: 'pi_1', observedAt };
    return { ...dispute('lost'), ...part } as Extract<PaymentFact, { kind: 'dispute' }>;
  }

  function appealed(then: 'open' | 'won' = 'won', paymentId = 'pi_1'): PaymentFact[] {
    const booked = { bookedAsRefund: true, paymentId } as const;
    return [
      { ...dispute('lost'), ...booked, observedAt: 3 } as PaymentFact,
      { ...dispute(then), ...booked, observedAt: 4 } as PaymentFact,
    ];
  }

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
