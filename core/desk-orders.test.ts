import { expect, test } from 'vitest';
import { amountOf, type OrderRow, passes } from './desk-orders.ts';

test.each([
  ['2999', 299_900],
  ['$2,999', 299_900],
  [' 2,999.00 ', 299_900],
  ['$ 0.99', 99],
  ['29,99', undefined],
  ['2999.5', undefined],
  ['-5', undefined],
  ['pi_2999', undefined],
  ['', undefined],
])('the text %j is %s cents', (text, cents) => {
  expect(amountOf(text)).toBe(cents);
});

const order = {
  status: 'paid',
  paymentMethod: 'stripe',
  serviceName: 'Database Audit',
  createdAt: '2026-11-22T23:59:59.999Z',
} as OrderRow;

test.each([
  [{}, true],
  [{ status: 'paid', method: 'stripe', service: 'audit', from: '2026-11-22', to: '2026-11-22' }, true],
  [{ status: 'review' }, false],
  [{ method: 'paypal' }, false],
  [{ from: '2026-11-23' }, false],
  [{ to: '2026-11-21' }, false],
] as const)('an order that arrives passes %j: %s', (filters, isListed) => {
  expect(passes(order, filters, 'Database Audit')).toBe(isListed);
});

test('an order of another service does not pass', () => {
  expect(passes(order, { service: 'design' }, 'Schema Design')).toBe(false);
});
