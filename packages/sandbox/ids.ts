import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `length` random letters and digits; not for real secrets. */
export function randomText(length: number): string {
  const bytes = randomBytes(length);
  let text = '';
  for (const byte of bytes) text += ALPHABET[byte % ALPHABET.length];
  return text;
}

/** An object id in Stripe's format, for example `pi_3Abc…`. */
export function newId(prefix: string): string {
  return `${prefix}_3${randomText(23)}`;
}

export function unixNow(): number {
  return Math.floor(Date.now() / 1000);
}
