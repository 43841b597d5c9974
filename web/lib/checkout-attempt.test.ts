import { expect, test } from 'vitest';
import { type Attempt, freshAttempt, isComplete, isSamePurchase, withDetails } from './checkout-attempt.ts';

const details = { customerName: 'Ada', customerEmail: 'ada@example.com', service: 'audit' } as const;
const paying: Attempt = { ...freshAttempt, details, key: 'key-1', paying: 'stripe', orderId: 'order-1' };

test('the same details keep the order, its key and its payment step', () => {
  expect(withDetails(paying, { ...details, customerName: 'Ada ' })).toMatchObject({
    key: 'key-1',
    paying: 'stripe',
  });
});

test.each([
  ['name', { customerName: 'Bea' }],
  ['e-mail', { customerEmail: 'bea@example.com' }],
  ['service', { service: 'design' as const }],
])('another %s is another order', (_what, changed) => {
  expect(withDetails(paying, { ...details, ...changed })).toMatchObject({
    key: null,
    paying: null,
    orderId: null,
  });
});

test('all three details are required, and not blank', () => {
  expect(isComplete(details)).toBe(true);
  expect(isComplete({ ...details, customerName: ' ' })).toBe(false);
  expect(isComplete({ ...details, service: '' })).toBe(false);
  expect(isComplete(freshAttempt.details)).toBe(false);
});

test('an answer belongs to an attempt with the same details and price, or to the order of the same link', () => {
  const asked: Attempt = { ...freshAttempt, details };
  expect(isSamePurchase({ ...asked, key: 'key-1' }, asked)).toBe(true);
  expect(isSamePurchase(withDetails(paying, { ...details, service: 'design' }), paying)).toBe(false);
  expect(isSamePurchase({ ...asked, price: 310_000 }, asked)).toBe(false);
  const adopted: Attempt = { ...paying, key: null };
  expect(isSamePurchase({ ...adopted, details: { ...details, customerName: 'Bea' } }, adopted)).toBe(true);
  expect(isSamePurchase({ ...adopted, orderId: 'order-2' }, adopted)).toBe(false);
  expect(isSamePurchase(asked, adopted)).toBe(false);
});
