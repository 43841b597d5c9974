import { expect, test } from 'vitest';
import { refundAction } from './desk-actions.ts';
import { personRequest } from './desk-people.ts';

const asked = { key: '7d0c3a52-9f6e-4b1d-8a27-5e4f1c90b3d8', reason: 'Agreed by phone' };

test.each([
  ['pi_3QK2mA9ZvKYlo2C1x8Wd4RtB', true],
  ['8MC585209K746392H', true],
  ['PAYID-MX4', true],
  ['pi_\u0000', false],
  ['', false],
])('a refund of the payment %j can be recorded: %s', (paymentId, isPossible) => {
  const refund = { action: 'refund', paymentId, amount: 1, left: 1, ...asked };
  expect(refundAction.safeParse(refund).success).toBe(isPossible);
});

test.each([
  ['ada@example.com', true],
  ['ada@example.com\u0000', false],
  ['ada\ud800@example.com', false],
])('the address %j can be looked up: %s', (email, isPossible) => {
  expect(personRequest.safeParse({ ...asked, email }).success).toBe(isPossible);
});
