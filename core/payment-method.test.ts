import { expect, test } from 'vitest';
import { type Attempt, NO_FACTS } from './payment-facts.ts';
import { methodAndProvider, methodLabel, methodOf } from './payment-method.ts';

const order = { amount: 100, currency: 'USD', paymentMethod: 'stripe', paymentIntentId: 'pi_1' } as const;
const money = { amount: 100, currency: 'USD' };
const methodType = 'us_bank_account';

function typeOf(captures: Record<string, object>, attempt: object | null = null): string | null {
  const taken = Object.fromEntries(
    Object.entries(captures).map(([id, capture]) => [id, { ...money, ...capture }]),
  );
  const tried = attempt && ({ paymentId: 'pi_1', status: 'processing', reason: null, ...attempt } as Attempt);
  return methodOf(order, { ...NO_FACTS, captures: taken, attempt: tried }).methodType;
}

test('an order has the type of payment method that its payment has, or had while it was processing', () => {
  expect(typeOf({})).toBeNull();
  expect(typeOf({ pi_1: {} })).toBeNull();
  expect(typeOf({ pi_1: { methodType } })).toBe(methodType);
  expect(typeOf({}, { methodType })).toBe(methodType);
  expect(typeOf({ pi_1: {} }, { methodType })).toBe(methodType);
  expect(typeOf({}, { methodType, status: 'failed' })).toBe(methodType);
});

test('a bank debit that failed before a card paid, or of another payment, does not count', () => {
  expect(typeOf({ pi_1: {} }, { methodType, status: 'failed' })).toBeNull();
  expect(typeOf({ pi_2: {} }, { methodType })).toBeNull();
  expect(typeOf({}, { methodType, paymentId: 'pi_2' })).toBeNull();
});

test('an order that a former payment paid has the method of that payment', () => {
  const captures = { PP1: { ...money, provider: 'paypal' as const } };
  const attempt: Attempt = {
    paymentId: 'pi_1',
    status: 'processing',
    reason: null,
    observedAt: 1,
    methodType,
  };
  expect(methodOf(order, { ...NO_FACTS, attempt })).toEqual({ paymentMethod: 'stripe', methodType });
  const paid = { paymentMethod: 'paypal', methodType: null };
  expect(methodOf(order, { ...NO_FACTS, attempt, captures })).toEqual(paid);
});

test.each([
  ['stripe', null, 'Card'],
  ['stripe', 'us_bank_account', 'Bank debit'],
  ['stripe', 'sepa_debit', 'Bank debit'],
  ['stripe', 'amazon_pay', 'Amazon pay'],
  ['paypal', null, 'PayPal'],
  ['paypal', 'us_bank_account', 'PayPal'],
] as const)('%s and %s is called %s', (method, type, label) => {
  expect(methodLabel(method, type)).toBe(label);
});

test('staff see the provider beside the method', () => {
  expect(methodAndProvider('stripe', null)).toBe('Card (Stripe)');
  expect(methodAndProvider('stripe', 'sepa_debit')).toBe('Bank debit (Stripe)');
  expect(methodAndProvider('paypal', null)).toBe('PayPal');
});
