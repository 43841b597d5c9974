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
 * everywhere else.
 */
export function toHundredths(amount: number, currency: string): number {
  return Math.round((amount * 100) / minorUnitsPerUnit(currency));
}

/** The way back. Not an integer if the currency has no such fraction, which Stripe refuses. */
export function toMinorUnits(hundredths: number, currency: string): number {
  return (hundredths * minorUnitsPerUnit(currency)) / 100;
}

function minorUnitsPerUnit(currency: string): number {
  const code = currency.toUpperCase();
  if (zeroDecimal.has(code)) return 1;
  return threeDecimal.has(code) ? 1_000 : 100;
}
