import { expect, test } from 'vitest';
import { statusText } from './order-texts.ts';
import { orderStatuses } from './orders.ts';

const order = {
  amount: 299_900,
  amountRefunded: 0,
  moneyTaken: 'none',
  debitReturned: false,
  failureReason: null,
  paymentMethod: 'stripe',
  methodType: null,
} as const;

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

test.each([
  ['Your card has insufficient funds. Try a different card.', 'Your card has insufficient funds.'],
  [
    'PayPal declined this card or bank account. Please choose another one in the PayPal window.',
    'PayPal declined this card or bank account.',
  ],
  ['Your U.S. bank declined.', 'Your U.S. bank declined.'],
])('a failed payment leaves the advice to us: %s', (failureReason, fact) => {
  const { text } = statusText({ ...order, status: 'failed', failureReason });
  expect(text).toBe(
    `${fact} Nothing was charged. You can try again, with the same card, another one, or PayPal.`,
  );
});

test.each([
  [{}, 'with the same card, another one, or PayPal'],
  [{ methodType: 'us_bank_account' }, 'also by card or PayPal'],
  [{ paymentMethod: 'paypal' }, 'also by card'],
] as const)('a failed payment by %j can be tried again %s', (paid, advice) => {
  const { text } = statusText({ ...order, ...paid, status: 'failed' });
  expect(text).toBe(`Nothing was charged. You can try again, ${advice}.`);
});

test.each([
  ['stripe', 'Your bank has asked us about it.'],
  ['paypal', 'PayPal has asked us about it.'],
] as const)('a dispute of a payment by %s names who asks', (paymentMethod, sentence) => {
  expect(statusText({ ...order, status: 'disputed', paymentMethod }).text).toContain(sentence);
});

test('money that is still held is not said to have gone back', () => {
  const refunded = { ...order, status: 'refunded' } as const;
  expect(statusText({ ...refunded, moneyTaken: 'held' }).text).toMatch(/^We are returning your payment\./);
  expect(statusText({ ...refunded, moneyTaken: 'returned' }).text).toMatch(
    /^Your payment went back to you\./,
  );
  const byDispute = { ...refunded, moneyTaken: 'held', amountRefunded: 299_900 } as const;
  expect(statusText(byDispute).text).toMatch(/^\$2,999\.00 went back to you\./);
});

test('an order that does not go ahead shows no project steps', () => {
  for (const status of ['refunded', 'disputed'] as const) {
    expect(statusText({ ...order, status }).next).toBe('questions');
  }
});

test('an e-mail within minutes is promised only once the money is there', () => {
  for (const status of ['pending', 'processing', 'review', 'failed', 'canceled'] as const) {
    expect(statusText({ ...order, status }).next).not.toBe('steps');
  }
});

test('a processing payment may take days, and must not be paid again', () => {
  const { text } = statusText({ ...order, status: 'processing' });
  expect(text).toContain('several business days');
  expect(text).toContain('You do not need to pay again');
});

test('a canceled order can only be placed again, a pending one can be paid', () => {
  expect(statusText({ ...order, status: 'canceled' }).next).toBe('order-again');
  expect(statusText({ ...order, status: 'pending' }).next).toBe('pay');
});

test('a canceled order says that nothing was charged only if no money was taken', () => {
  const canceled = { ...order, status: 'canceled' } as const;
  expect(statusText(canceled).text).toMatch(/nothing was charged/i);
  const held = statusText({ ...canceled, moneyTaken: 'held' });
  expect(held.text).not.toMatch(/nothing was charged/i);
  expect(held.text).toContain('have not returned all of it');
  expect(held.next).toBe('questions');
  const returned = statusText({ ...canceled, moneyTaken: 'returned' });
  expect(returned.text).not.toMatch(/nothing was charged/i);
  expect(returned.text).toContain('all of it went back to you');
});

test('an order that staff decided to refund names no amount, because only they know it', () => {
  const { text } = statusText({ ...order, status: 'refunded' });
  expect(text).toBe('Your payment went back to you. Banks take 5-10 days to show it.');
});

test('refunds name the refunded amount', () => {
  expect(statusText({ ...order, status: 'refunded', amountRefunded: 299_900 }).text).toContain(
    '$2,999.00 went',
  );
  expect(statusText({ ...order, status: 'partially_refunded', amountRefunded: 50_000 }).text).toContain(
    '$500.00 of $2,999.00',
  );
});

test.each(['disputed', 'refunded'] as const)('a debit that the bank returned is neither: %s', (status) => {
  const { title, label, text, next } = statusText({
    ...order,
    ...{ status, amountRefunded: 299_900, moneyTaken: 'returned', debitReturned: true },
  });
  expect(title).toBe('Your bank returned the payment');
  expect(label).toBe('Payment returned');
  expect(text).toContain('failed after all');
  expect(title + label + text).not.toMatch(/refund|disput|asked|went back/i);
  expect(next).toBe('questions');
});
