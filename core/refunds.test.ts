import { expect, test } from 'vitest';
import { type Dispute, NO_FACTS, type PaymentFacts } from './payment-facts.ts';
import { holdsMoney, isClosedByRefund, refundableOf } from './refunds.ts';

const paid: PaymentFacts = {
  ...NO_FACTS,
  captures: { pi_1: { amount: 10_000, currency: 'USD', provider: 'paypal' } },
};
const refund = (amount: number, status: 'pending' | 'succeeded' | 'failed' | 'canceled') => ({
  ...{ paymentId: 'pi_1', amount, status, observedAt: 1 },
});
const dispute = (outcome: 'open' | 'won' | 'lost', paymentId?: string) => ({
  ...{ amount: 10_000, outcome, observedAt: 1 },
  ...(paymentId ? { paymentId } : {}),
});
const left = (facts: Partial<PaymentFacts>) =>
  refundableOf({ ...paid, ...facts }, 'stripe').map(({ paymentId, amount }) => [paymentId, amount]);

test('a payment can be refunded in full, by the provider that took it', () => {
  expect(refundableOf(paid, 'stripe')).toEqual([
    { paymentId: 'pi_1', amount: 10_000, currency: 'USD', provider: 'paypal', onlyInFull: false },
  ]);
  const { provider: _, ...early } = paid.captures.pi_1 ?? { amount: 0, currency: '' };
  expect(refundableOf({ ...paid, captures: { pi_1: early } }, 'stripe')[0]?.provider).toBe('stripe');
  expect(refundableOf(NO_FACTS, 'stripe')).toEqual([]);
});

test('succeeded and pending refunds are not refunded again; failed ones are', () => {
  expect(left({ refunds: { re_1: refund(2_000, 'succeeded'), re_2: refund(3_000, 'pending') } })).toEqual([
    ['pi_1', 5_000],
  ]);
  expect(left({ refunds: { re_1: refund(10_000, 'failed'), re_2: refund(10_000, 'canceled') } })).toEqual([
    ['pi_1', 10_000],
  ]);
  expect(left({ refunds: { re_1: refund(10_000, 'pending') } })).toEqual([]);
  expect(left({ refunded: { pi_1: 4_000 } })).toEqual([['pi_1', 6_000]]);
});

test('a full refund that fails can be made again, and has closed no dispute', () => {
  // PayPal names the total only once a capture is refunded in full, and takes nothing back from it.
  const total = { refunded: { pi_1: 10_000 } };
  const failed = { ...total, refunds: { re_1: refund(10_000, 'failed') } };
  expect(left(failed)).toEqual([['pi_1', 10_000]]);
  expect(isClosedByRefund({ ...paid, ...failed }, dispute('won', 'pi_1'))).toBe(false);
  expect(left({ ...total, refunds: { ...failed.refunds, re_2: refund(4_000, 'pending') } })).toEqual([
    ['pi_1', 6_000],
  ]);
});

test('a full refund that closed a dispute and failed can be made again', () => {
  const closed = { ...dispute('lost', 'pi_1'), bookedAsRefund: true as const };
  const failed = { re_1: refund(10_000, 'failed') };
  expect(left({ refunds: failed, disputes: { dp_1: closed } })).toEqual([['pi_1', 10_000]]);
  const part = { re_1: refund(9_999, 'failed') };
  expect(left({ refunds: part, disputes: { dp_1: closed } })).toEqual([]);
  const ofAnother = { re_1: { ...refund(10_000, 'failed'), paymentId: 'pi_2' } };
  expect(left({ refunds: ofAnother, disputes: { dp_1: closed } })).toEqual([]);
});

test('a refund waiting for a worker counts as made', () => {
  const waiting = [
    { paymentId: 'pi_1', amount: 4_000 },
    { paymentId: 'pi_2', amount: 9_000 },
  ];
  expect(refundableOf(paid, 'stripe', waiting)).toMatchObject([{ amount: 6_000 }]);
});

test('several payments are refundable separately', () => {
  const captures = { ...paid.captures, pi_2: { amount: 7_000, currency: 'USD' } };
  expect(left({ captures, refunds: { re_1: refund(10_000, 'succeeded') } })).toEqual([['pi_2', 7_000]]);
  expect(left({ captures, disputes: { dp_1: dispute('open', 'pi_2') } })).toEqual([['pi_1', 10_000]]);
  expect(left({ captures, disputes: { dp_1: dispute('open') } })).toEqual([]);
});

test('a payment can be refunded during an inquiry, before the money is taken back, but only in full', () => {
  const inquiry = { ...dispute('open', 'pi_1'), isRefundable: true as const };
  const during = (...disputes: Dispute[]) =>
    refundableOf({ ...paid, disputes: Object.fromEntries(disputes.entries()) }, 'stripe');
  expect(during(inquiry)).toMatchObject([{ amount: 10_000, onlyInFull: true }]);
  expect(during(dispute('won', 'pi_1'), inquiry)).toMatchObject([{ onlyInFull: true }]);
  expect(during(dispute('won', 'pi_1'))).toMatchObject([{ onlyInFull: false }]);
  expect(during({ ...inquiry, paymentId: 'pi_2' })).toMatchObject([{ onlyInFull: false }]);
  const facts = { ...paid, disputes: { dp_1: inquiry } };
  expect(refundableOf(facts, 'stripe', [{ paymentId: 'pi_1', amount: 1 }])).toEqual([]);
  expect(refundableOf(facts, 'stripe', [{ paymentId: 'pi_2', amount: 1 }])).toHaveLength(1);
  expect(left({ disputes: { dp_1: inquiry, dp_2: dispute('open', 'pi_1') } })).toEqual([]);
  expect(left({ disputes: { dp_1: { ...inquiry, outcome: 'lost' } } })).toEqual([]);
});

test('a dispute is closed by a refund of all of its payment only', () => {
  const refunded = { ...paid, refunds: { re_1: refund(10_000, 'pending') } };
  expect(isClosedByRefund(refunded, dispute('won', 'pi_1'))).toBe(true);
  expect(isClosedByRefund(refunded, dispute('lost', 'pi_1'))).toBe(false);
  expect(isClosedByRefund(refunded, dispute('open', 'pi_1'))).toBe(false);
  expect(isClosedByRefund(refunded, dispute('won', 'pi_2'))).toBe(false);
  expect(isClosedByRefund(refunded, dispute('won'))).toBe(false);
  expect(
    isClosedByRefund({ ...paid, refunds: { re_1: refund(9_999, 'succeeded') } }, dispute('won', 'pi_1')),
  ).toBe(false);
});

test('a dispute that was won is not closed by a later refund', () => {
  const refunded = { ...paid, refunds: { re_1: refund(10_000, 'succeeded') } };
  expect(isClosedByRefund(refunded, { ...dispute('won', 'pi_1'), isDecided: true })).toBe(false);
});

test('a dispute that is lost is closed by a refund that staff made of what was disputed', () => {
  const made = (change: object) => {
    const refunds = {
      re_1: refund(4_000, 'succeeded'),
      re_2: { ...refund(6_000, 'succeeded'), isOurs: true as const, ...change },
    };
    return isClosedByRefund({ ...paid, refunds }, { ...dispute('lost', 'pi_1'), amount: 6_000 });
  };
  expect(made({})).toBe(true);
  expect(made({ isOurs: undefined })).toBe(false);
  expect(made({ amount: 5_999 })).toBe(false);
  expect(made({ paymentId: 'pi_2' })).toBe(false);
});

test.each([
  ['open', 0],
  ['lost', 0],
  ['won', 1],
] as const)('a payment whose dispute is %s can be refunded %i times', (outcome, times) => {
  expect(left({ disputes: { dp_1: dispute(outcome, 'pi_1') } })).toHaveLength(times);
});

test.each<[string, Partial<PaymentFacts>, boolean]>([
  ['none of it', {}, true],
  ['a part by a refund', { refunds: { re_1: refund(9_999, 'succeeded') } }, true],
  ['all of it by a refund', { refunds: { re_1: refund(10_000, 'succeeded') } }, false],
  ['all of it by a pending refund', { refunds: { re_1: refund(10_000, 'pending') } }, false],
  ['all of it by a dispute', { disputes: { dp_1: dispute('lost', 'pi_1') } }, false],
  [
    'all of it by a refund and a dispute',
    {
      refunds: { re_1: refund(1, 'pending') },
      disputes: { dp_1: { ...dispute('lost', 'pi_1'), amount: 9_999 } },
    },
    false,
  ],
  ['a part by a dispute', { disputes: { dp_1: { ...dispute('lost', 'pi_1'), amount: 9_999 } } }, true],
  ['a part perhaps by an open dispute', { disputes: { dp_1: { ...dispute('open'), amount: 1 } } }, false],
  ['none of it after a dispute that was won', { disputes: { dp_1: dispute('won', 'pi_1') } }, true],
])('a payment holds money unless all of it went back, or may go: %s', (_what, facts, expected) => {
  expect(holdsMoney({ ...paid, ...facts }, 'pi_1')).toBe(expected);
});

test('a payment that took nothing holds no money', () => {
  expect(holdsMoney(NO_FACTS, 'pi_1')).toBe(false);
});
