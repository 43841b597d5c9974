import { expect, test } from 'vitest';
import { isDebitReturned } from './order-money.ts';
import { NO_FACTS } from './payment-facts.ts';

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
