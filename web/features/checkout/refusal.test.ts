import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../../core/http.ts';
import { ApiError } from '../../lib/api-client.ts';
import type { Attempt } from '../../lib/checkout-attempt.ts';
import { afterFailure, isOver, PriceChanged, problemOf, replacement } from './refusal.ts';

const details = { customerName: 'Ada', customerEmail: 'ada@example.com', service: 'audit' } as const;
const attempt: Attempt = { details, key: 'key-1', paying: 'stripe', orderId: 'order-1', price: null };

describe('after a refusal', () => {
  test.each(['order_paid', 'payment_in_progress', 'order_changed', 'other_payment_method'] as const)(
    '%s keeps the order: a second one could be paid as well',
    (code) => {
      expect(afterFailure(attempt, refused(409, code))).toEqual({ ...attempt, paying: null });
    },
  );

  test.each([
    [409, 'order_expired'],
    [422, 'idempotency_key_reused'],
    [400, 'service_not_found'],
  ] as const)('%i %s makes the next try a new order', (status, code) => {
    expect(afterFailure(attempt, refused(status, code))).toMatchObject({ key: null, orderId: null });
  });

  test.each([
    ['the server is down', refused(503, 'provider_unavailable')],
    ['too many requests were sent', refused(429, 'rate_limited')],
    ['the network failed', new TypeError('Failed to fetch')],
  ])('the next try is the same order while %s', (_what, error) => {
    expect(afterFailure(attempt, error)).toMatchObject({ key: 'key-1', orderId: 'order-1' });
  });

  test('a changed price is the price of the next order', () => {
    const error = new PriceChanged('The price of Database Audit is $3,099.00.', 309_900);
    expect(afterFailure(attempt, error)).toMatchObject({ key: null, price: 309_900 });
    expect(problemOf(attempt, error)).toEqual({
      text: 'The price of Database Audit has changed from $2,999.00 to $3,099.00. Continue if you agree.',
      orderId: null,
    });
    expect(problemOf({ ...attempt, price: 305_000 }, error)?.text).toContain('from $3,050.00 to $3,099.00');
    const unread = new PriceChanged(error.message, undefined);
    expect(problemOf(attempt, unread)?.text).toBe('The price of Database Audit is $3,099.00.');
  });
});

test('an order that is paid, being paid or closed is shown to the buyer', () => {
  for (const code of ['order_paid', 'payment_in_progress', 'order_expired'] as const) {
    expect(problemOf(attempt, refused(409, code))).toEqual({ text: 'In words.', orderId: 'order-1' });
  }
  expect(problemOf(attempt, refused(409, 'order_changed'))).toBeUndefined();
});

test('only an expired order is replaced without asking', () => {
  expect(isOver(refused(409, 'order_expired'))).toBe(true);
  expect(isOver(refused(409, 'order_paid'))).toBe(false);
  expect(isOver(new TypeError('Failed to fetch'))).toBe(false);
});

test('a new order says that the earlier one was not charged only if that is known', () => {
  expect(replacement('stripe', true).text).toBe(
    'The earlier order is closed and nothing was charged. This is a new order: please enter your card again.',
  );
  expect(replacement('paypal', false).text).toBe(
    'The earlier order is closed. This is a new order: please pay again.',
  );
});

function refused(status: number, code: ErrorCode): ApiError {
  return new ApiError(status, '', { message: 'In words.', code, requestId: 'r' });
}
