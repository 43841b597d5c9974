/** Without UGX: Stripe lists it too, but states its amounts with two decimals. */
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
 * Converts an amount in Stripe's minor units (https://docs.stripe.com/currencies#minor-units) to hundredths, the unit used
 * everywhere else. `currency`: upper case.
 */
export function toHundredths(amount: number, currency: string): number {
  if (zeroDecimal.has(currency)) return amount * 100;
  return threeDecimal.has(currency) ? Math.round(amount / 10) : amount;
}
