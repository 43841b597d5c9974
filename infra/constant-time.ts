import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares in constant time, so timing does not reveal how much of `given` is correct. */
export function isEqualInConstantTime(given: string, secret: string): boolean {
  return timingSafeEqual(sha256(given), sha256(secret));
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
