import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatMoney, formatPrice, fromDecimalString, toDecimalString } from './money.ts';

test.each([
  [0, '$0.00'],
  [299_900, '$2,999.00'],
  [5, '$0.05'],
  [123_456_789, '$1,234,567.89'],
  [-100, '-$1.00'],
])('%i cents read %s', (cents, text) => {
  expect(formatMoney(cents)).toBe(text);
});

test('another currency is named', () => {
  expect(formatMoney(299_950, 'EUR')).toBe('2,999.50 EUR');
  expect(formatMoney(-5, 'EUR')).toBe('-0.05 EUR');
});

test('a price without cents drops them', () => {
  expect(formatPrice(299_900)).toBe('$2,999');
  expect(formatPrice(299_950)).toBe('$2,999.50');
  expect(formatPrice(10_005)).toBe('$100.05');
});

test('PayPal’s decimal string comes back as the same cents', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 99_999_999_999 }),
      (cents) => fromDecimalString(toDecimalString(cents)) === cents,
    ),
  );
});

test.each([
  ['2999', 299_900],
  ['2999.5', 299_950],
  ['0.05', 5],
  ['123456789012.34', 12_345_678_901_234],
])('%s of PayPal’s are %i cents', (text, cents) => {
  expect(fromDecimalString(text)).toBe(cents);
});

test.each(['', '1.234', '-1.00', '1e3', '1,000.00', 'NaN', ' 1', '1.', '.5', '1.00 USD', '1234567890123'])(
  '%j is not an amount of money',
  (text) => {
    expect(() => fromDecimalString(text)).toThrow(
      new RangeError(`not a decimal amount: ${JSON.stringify(text)}`),
    );
  },
);
