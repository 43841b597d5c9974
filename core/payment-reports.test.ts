import { describe, expect, test } from 'vitest';
import type { PaymentFact } from './payment-facts.ts';
import {
  factsFor,
  type OrderPayments,
  type PaymentReport,
  paymentReport,
  paymentRoleOf,
  tookMoney,
} from './payment-reports.ts';

const order: OrderPayments = {
  id: 'order-1',
  paymentMethod: 'stripe',
  paymentIntentId: 'pi_now',
  formerPaymentIds: ['pi_before'],
};
const report = (paymentId: string | null, orderId?: string): PaymentReport => ({
  paymentId,
  metadata: { app: 'querywright', deployment: 'test', ...(orderId ? { orderId } : {}) },
  facts: [],
});

test('a report of money says so, whatever else it reports', () => {
  const declined: PaymentFact = {
    ...{ kind: 'attempt', paymentId: 'pi_now', status: 'failed', reason: null, observedAt: 1 },
  };
  const captured: PaymentFact = { kind: 'captured', paymentId: 'pi_now', amount: 1, currency: 'USD' };
  expect(tookMoney({ facts: [declined, captured] })).toBe(true);
  expect(tookMoney({ facts: [declined] })).toBe(false);
  expect(tookMoney({ facts: [] })).toBe(false);
});

describe('a payment’s relation to the order', () => {
  test.each<[string, string | null, Partial<OrderPayments>, 'stripe' | 'paypal', string]>([
    ['the order’s payment', 'pi_now', {}, 'stripe', 'current'],
    ['a replaced payment', 'pi_before', {}, 'stripe', 'former'],
    [
      'a replaced payment of an order without one',
      'pi_before',
      { paymentIntentId: null },
      'stripe',
      'former',
    ],
    ['a payment that the row has lost', 'pi_other', {}, 'stripe', 'former'],
    ['a payment that was not recorded yet', 'pi_new', { paymentIntentId: null }, 'stripe', 'current'],
    [
      'one of the other provider that the row has lost',
      'PAYPAL',
      { paymentIntentId: null },
      'paypal',
      'former',
    ],
    ['no payment at all', null, {}, 'paypal', 'current'],
  ])('%s', (_what, paymentId, change, provider, role) => {
    expect(paymentRoleOf({ ...order, ...change }, report(paymentId, 'order-1'), provider)).toBe(role);
  });

  test.each([
    ['without a payment', { paymentIntentId: null }],
    ['with another payment', {}],
  ])('a payment that names another order, or none, is unrelated to an order %s', (_which, change) => {
    const open = { ...order, ...change };
    expect(paymentRoleOf(open, report('pi_new', 'order-2'), 'stripe')).toBe('unrelated');
    expect(paymentRoleOf(open, report('pi_new'), 'stripe')).toBe('unrelated');
  });
});

describe('which facts count', () => {
  const money: PaymentFact = { kind: 'captured', paymentId: 'pi_now', amount: 1, currency: 'USD' };
  const attempt: PaymentFact = { kind: 'attempt', status: 'canceled', reason: null, observedAt: 1 };
  const facts = [money, attempt];

  test('all of the current payment’s', () => {
    expect(factsFor(order, { ...report('pi_now', 'order-1'), facts }, 'current')).toEqual(facts);
  });

  test('the money of a former payment', () => {
    expect(factsFor(order, { ...report('pi_before', 'order-1'), facts }, 'former')).toEqual([money]);
  });

  test('money whose payment names another order, or none, is marked', () => {
    for (const orderId of ['order-2', undefined]) {
      expect(factsFor(order, { ...report('pi_now', orderId), facts }, 'current')).toEqual([
        { ...money, forAnotherOrder: true },
        attempt,
      ]);
    }
  });

  test('a report without a payment is about the order itself', () => {
    expect(factsFor(order, { ...report(null), facts }, 'current')).toEqual(facts);
  });
});

test('a stored report has no client secret and nothing unknown', () => {
  const live = { ...report('pi_now', 'order-1'), clientSecret: 'pi_now_secret_x', stage: 'open' as const };
  expect(paymentReport.parse(live)).toEqual({ ...report('pi_now', 'order-1'), stage: 'open' });
});

test.each([
  { facts: 'none' },
  { facts: [], metadata: {}, paymentId: 5 },
  { facts: [{ kind: 'unknown' }], metadata: {}, paymentId: null },
  { facts: [], metadata: {}, paymentId: null, stage: 'over' },
  { facts: [], metadata: {}, paymentId: null, alerts: [{ kind: 'rumour' }] },
])('an invalid report is refused: %j', (value) => {
  expect(() => paymentReport.parse(value)).toThrow();
});
