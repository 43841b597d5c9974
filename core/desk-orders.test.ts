import { expect, test } from 'vitest';
import { amountOf, type OrderRow, orderListRequest, passes } from './desk-orders.ts';

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

const id = '7d0c3a52-9f6e-4b1d-8a27-5e4f1c90b3d8';

test.each([
  [{ after: `2026-02-28T23:59:59.999999Z_${id}`, from: '2024-02-29' }, true],
  [{ after: `2026-02-29T23:59:59.999999Z_${id}` }, false],
  [{ after: `2026-02-28T24:59:59.999999Z_${id}` }, false],
  [{ after: `0000-02-28T23:59:59.999999Z_${id}` }, false],
  [{ after: `2026-02-28T23:59:59.999999Z_${'-'.repeat(36)}` }, false],
  [{ text: 'Zoë Quine' }, true],
  [{ text: 'Zo\u0000' }, false],
  [{ text: 'Zo\ud800' }, false],
  [{ from: '0000-01-01' }, false],
  [{ to: '2026-02-29' }, false],
] as const)('accepts the list request %j: %s', (request, isPossible) => {
  expect(orderListRequest.safeParse(request).success).toBe(isPossible);
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
] as const)('a new order matches %j: %s', (filters, isListed) => {
  expect(passes(order, filters, 'Database Audit')).toBe(isListed);
});

test('an order of another service does not match', () => {
  expect(passes(order, { service: 'design' }, 'Schema Design')).toBe(false);
});
