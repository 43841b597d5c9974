import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares without revealing by its duration how much of `given` is right. */
export function isEqualInConstantTime(given: string, secret: string): boolean {
  return timingSafeEqual(sha256(given), sha256(secret));
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
