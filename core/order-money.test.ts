import { describe, expect, test } from 'vitest';
import { apply, attempt, captured, dispute, refunded } from '../testing/payment-facts.ts';
import { isDebitReturned, isSurplus, moneyTaken } from './order-money.ts';
import type { MoneyTaken } from './orders.ts';
import { NO_FACTS, type PaymentFact } from './payment-facts.ts';

const price = { amount: 10_000, currency: 'USD' };
const returned = {
  amount: 10_000,
  outcome: 'lost',
  observedAt: 1,
  paymentId: 'pi_1',
  isReturnedDebit: true,
} as const;
const isReturned = (...disputes: (typeof returned | object)[]) =>
  isDebitReturned(price, {
    ...NO_FACTS,
    captures: { pi_1: price, pi_2: { ...price, amount: 5_000 } },
    disputes: Object.fromEntries(disputes.map((dispute, n) => [`dp_${n}`, { ...returned, ...dispute }])),
  });

test('a debit is returned if its bank says so about the payment that pays the order', () => {
  expect(isReturned({})).toBe(true);
  expect(isReturned({ outcome: 'open' })).toBe(true);
  expect(isReturned({ isReturnedDebit: undefined }, {})).toBe(true);
  expect(isReturned()).toBe(false);
  expect(isReturned({ outcome: 'won' })).toBe(false);
  expect(isReturned({ isReturnedDebit: undefined })).toBe(false);
  expect(isReturned({ paymentId: 'pi_2' })).toBe(false);
});

test('a payment is surplus once another one pays the order, unless it took money itself', () => {
  const odd = { ...price, amount: 5_000 };
  const paid = { ...NO_FACTS, captures: { pi_1: price, pi_2: odd } };
  expect(isSurplus(price, paid, 'pi_3')).toBe(true);
  expect(isSurplus(price, paid, 'pi_1')).toBe(false);
  expect(isSurplus(price, paid, 'pi_2')).toBe(false);
  expect(isSurplus(price, { ...paid, captures: { pi_2: odd } }, 'pi_3')).toBe(false);
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
