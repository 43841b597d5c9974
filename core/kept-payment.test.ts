import { expect, test } from 'vitest';
import { whyNotKeepable } from './kept-payment.ts';
import { addFact, NO_FACTS, type PaymentFact } from './payment-facts.ts';

const price = { amount: 10_000, currency: 'USD' };
const captured = (paymentId: string, change: object = {}): PaymentFact => ({
  ...{ kind: 'captured', paymentId, ...price },
  ...change,
});
const refund = (paymentId: string, status: 'pending' | 'succeeded' | 'failed', amount = 10_000) =>
  ({ kind: 'refund', refundId: `re_${paymentId}`, paymentId, amount, status, observedAt: 1 }) as const;
const dispute = (paymentId: string, outcome: 'open' | 'won' | 'lost', amount = 10_000) =>
  ({
    kind: 'dispute',
    disputeId: `dp_${paymentId}`,
    paymentId,
    amount,
    outcome,
    observedAt: 1,
  }) as const;

const first = captured('pi_1');
const second = captured('pi_2');
const returned = refund('pi_1', 'succeeded');

test.each<[string, PaymentFact[], string | undefined]>([
  ['the first was refunded', [first, returned, second], undefined],
  ['the first was refunded, and became known before', [second, first, refund('pi_2', 'succeeded')], 'own'],
  ['the bank took the first back', [first, dispute('pi_1', 'lost'), second], undefined],
  ['a part of the second was refunded', [first, returned, second, refund('pi_2', 'succeeded', 1)], undefined],
  ['a part of the second was lost', [first, returned, second, dispute('pi_2', 'lost', 9_999)], undefined],
  ['its refund failed', [first, returned, second, refund('pi_2', 'failed')], undefined],
  ['a dispute of the second was won', [first, returned, second, dispute('pi_2', 'won')], undefined],
  ['it took no money', [first, returned], 'no money'],
  ['it is the only one', [second], 'own'],
  ['staff keep it already', [first, second, { kind: 'kept', paymentId: 'pi_2', observedAt: 1 }], 'own'],
  ['its amount differs', [first, returned, captured('pi_2', { amount: 9_999 })], undefined],
  ['its currency differs', [first, returned, captured('pi_2', { currency: 'EUR' })], 'unfit'],
  ['it names another order', [first, returned, captured('pi_2', { forAnotherOrder: true })], 'unfit'],
  ['no payment is of the price', [captured('pi_2', { amount: 1 })], 'undecided'],
  ['it was refunded', [first, returned, second, refund('pi_2', 'succeeded')], 'refunded'],
  ['its refund is pending', [first, returned, second, refund('pi_2', 'pending')], 'refunded'],
  ['it is disputed', [first, returned, second, dispute('pi_2', 'open')], 'disputed'],
  ['its dispute was lost', [first, returned, second, dispute('pi_2', 'lost')], 'disputed'],
  ['the first holds money', [first, second], 'paid twice'],
  ['the first holds money, and its amount differs', [first, captured('pi_2', { amount: 1 })], 'paid twice'],
  ['the first holds a part', [first, refund('pi_1', 'succeeded', 9_999), second], 'paid twice'],
  ['the refund of the first is pending', [first, refund('pi_1', 'pending'), second], 'paid twice'],
  ['the first is disputed', [first, dispute('pi_1', 'open'), second], 'paid twice'],
])('a second payment can be kept if it alone holds money: %s', (_what, facts, expected) => {
  expect(whyNotKeepable(price, facts.reduce(addFact, NO_FACTS), 'pi_2')).toBe(expected);
});
