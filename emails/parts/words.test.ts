import { describe, expect, it } from 'vitest';
import { exactMoney, greeting, hours, moment, plainReason } from './words.ts';

describe('wording', () => {
  it('greets by name, but not by a name that is an address', () => {
    expect(greeting('J. R. R. Tolkien')).toBe('Hello J. R. R. Tolkien,');
    expect(greeting("Seán O'Brien-Łukasik")).toBe("Hello Seán O'Brien-Łukasik,");
    for (const name of [
      'www.evil',
      'evil.example',
      'a@b',
      'http://x',
      'Anna\nPay here',
      'x'.repeat(61),
      ' ',
    ]) {
      expect(greeting(name)).toBe('Hello,');
    }
  });

  it('turns provider codes into sentences and leaves sentences as they are', () => {
    expect(plainReason('insufficient_funds')).toBe('The card does not have enough funds for this amount.');
    expect(plainReason('INSTRUMENT_DECLINED')).toBe(
      'PayPal could not charge the chosen card or bank account.',
    );
    expect(plainReason('Your card was declined')).toBe('Your card was declined.');
    expect(plainReason('some_new_code')).toBe('The payment provider did not say why.');
    expect(plainReason('constructor')).toBe('The payment provider did not say why.');
    expect(plainReason(null)).toBe('The payment provider did not say why.');
  });

  it('writes dates, amounts and durations for people', () => {
    expect(moment('2026-11-12T17:42:08Z')).toBe('November 12, 2026 at 5:42 PM UTC');
    expect(exactMoney(299900, 'USD')).toBe('$2,999.00 USD');
    expect(exactMoney(299900, 'EUR')).toBe('2,999.00 EUR');
    expect(exactMoney(null, 'USD')).toBe('not stated');
    expect([hours(1), hours(24), hours(48), hours(50)]).toEqual(['1 hour', '24 hours', '2 days', '50 hours']);
  });

  it('rejects an invalid date', () => {
    expect(() => moment('soon')).toThrow(RangeError);
  });
});
