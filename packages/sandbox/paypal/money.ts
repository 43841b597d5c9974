import { unprocessable } from './errors.ts';
import type { Money } from './types.ts';

export function centsOf(money: Money): number {
  const [, sign, whole = '0', fraction = ''] = /^(-?)(\d*)(?:\.(\d{1,2}))?$/.exec(money.value) ?? [];
  const cents = Number(whole || '0') * 100 + Number(fraction.padEnd(2, '0'));
  return sign ? -cents : cents;
}

export function moneyOf(cents: number, currency: string): Money {
  const text = String(Math.abs(cents)).padStart(3, '0');
  return { currency_code: currency, value: `${cents < 0 ? '-' : ''}${text.slice(0, -2)}.${text.slice(-2)}` };
}

/** @throws PayPalApiError 422 unless it is a positive amount in a currency with cents */
export function checkedMoney(money: Money, field: string): Money {
  const at = { field, value: String(money.value) };
  if (!['USD', 'EUR', 'GBP', 'CAD', 'AUD', 'CHF'].includes(money.currency_code)) {
    throw unprocessable('INVALID_CURRENCY_CODE', { field: field.replace('value', 'currency_code') });
  }
  if (/\.\d{3,}$/.test(money.value)) throw unprocessable('DECIMAL_PRECISION', at);
  if (centsOf(money) <= 0) throw unprocessable('CANNOT_BE_ZERO_OR_NEGATIVE', at);
  return moneyOf(centsOf(money), money.currency_code);
}
