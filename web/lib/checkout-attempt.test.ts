import { expect, test } from 'vitest';
import { type Attempt, freshAttempt, isComplete, withDetails } from './checkout-attempt.ts';

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
