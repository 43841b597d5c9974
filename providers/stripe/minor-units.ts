/** UGX, which Stripe lists too, is stated with two decimals. */
const zeroDecimal = new Set([
  'BIF',
  'CLP',
  'DJF',
  'GNF',
  'JPY',
  'KMF',
  'KRW',
  'MGA',
  'PYG',
  'RWF',
  'VND',
  'VUV',
  'XAF',
  'XOF',
  'XPF',
]);
const threeDecimal = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND']);

/**
 * Hundredths of the currency, as everywhere here, of an amount in Stripe's minor unit
 * (https://docs.stripe.com/currencies#minor-units). `currency`: upper case.
 */
export function toHundredths(amount: number, currency: string): number {
  if (zeroDecimal.has(currency)) return amount * 100;
  return threeDecimal.has(currency) ? Math.round(amount / 10) : amount;
}
