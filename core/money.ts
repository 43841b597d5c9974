export const CURRENCY = 'USD';

/** Integer cents with an upper-case ISO 4217 code. */
export interface Money {
  amount: number;
  currency: string;
}

/** 48213000 as '48,213,000' */
export const thousands = new Intl.NumberFormat('en-US');

/** '$2,999.00' */
export function formatMoney(cents: number, currency: string = CURRENCY): string {
  const sign = cents < 0 ? '-' : '';
  const absolute = Math.abs(cents);
  const whole = thousands.format(Math.trunc(absolute / 100));
  const fraction = String(absolute % 100).padStart(2, '0');
  return currency === 'USD' ? `${sign}$${whole}.${fraction}` : `${sign}${whole}.${fraction} ${currency}`;
}

/** '$2,999': a price as the pages show it, with cents only where there are any. */
export function formatPrice(cents: number): string {
  const money = formatMoney(cents);
  return cents % 100 === 0 ? money.slice(0, -'.00'.length) : money;
}

/** '2999.00': the decimal string of PayPal's `Money.value` for a two-decimal currency. */
export function toDecimalString(cents: number): string {
  return `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

/** Cents of PayPal's decimal string ('2999.00', '2999.5'). @throws RangeError for anything else */
export function fromDecimalString(value: string): number {
  const match = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(value);
  if (!match) throw new RangeError(`not a decimal amount: ${JSON.stringify(value)}`);
  return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
}
