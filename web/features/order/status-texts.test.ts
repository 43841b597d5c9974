import { expect, test } from 'vitest';
import { orderStatuses } from '../../../core/orders.ts';
import { statusText } from './status-texts.ts';

const order = { amount: 299_900, amountRefunded: 0, failureReason: null };

test('only a paid order is called a success', () => {
  for (const status of orderStatuses) {
    const { title } = statusText({ ...order, status });
    expect(title === 'Payment Successful!').toBe(status === 'paid');
  }
});

test('a failed payment gives the provider’s reason and another try', () => {
  const failed = statusText({ ...order, status: 'failed', failureReason: 'Your card was declined' });
  expect(failed.text).toMatch(/^Your card was declined\. Nothing was charged\./);
  expect(failed.next).toBe('pay-again');
});

test('a project that does not start has no steps to it', () => {
  for (const status of ['refunded', 'disputed'] as const) {
    expect(statusText({ ...order, status }).next).toBe('questions');
  }
});

test('refunds name what went back', () => {
  expect(statusText({ ...order, status: 'partially_refunded', amountRefunded: 50_000 }).text).toContain(
    '$500.00 of $2,999.00',
  );
});
