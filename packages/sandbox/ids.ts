import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `length` random letters and digits. Not for secrets that matter: the sandbox has none. */
export function randomText(length: number): string {
  const bytes = randomBytes(length);
  let text = '';
  for (const byte of bytes) text += ALPHABET[byte % ALPHABET.length];
  return text;
}

/** An object id as Stripe writes them, for example `pi_3Abc…`. */
export function newId(prefix: string): string {
  return `${prefix}_3${randomText(23)}`;
}

/** Seconds since 1970, as Stripe counts. */
export function unixNow(): number {
  return Math.floor(Date.now() / 1000);
}
