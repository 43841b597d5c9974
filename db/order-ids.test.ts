import { expect, test, vi } from 'vitest';
import { isUuid } from '../core/text.ts';
import { newOrderId } from './order-ids.ts';

test('an order’s id starts with the time, in ms', () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-30T09:00:00.123Z'), toFake: ['Date'] });
  try {
    expect(Number.parseInt(newOrderId().replace('-', '').slice(0, 12), 16)).toBe(Date.now());
  } finally {
    vi.useRealTimers();
  }
});

test('it is a UUID', () => {
  expect(isUuid(newOrderId())).toBe(true);
});

test('of version 7: all other 74 bits are random', () => {
  const ids = Array.from({ length: 200 }, () => bitsOf(newOrderId()).slice(48));
  const bits = Array.from({ length: 80 }, (_, n) => {
    const ones = ids.filter((id) => id[n] === '1').length;
    if (ones === 0 || ones === ids.length) return ids[0]?.[n];
    // A random bit is outside of this once in 10^11 runs.
    return ones > 50 && ones < 150 ? '?' : 'biased';
  });
  expect(bits.join('')).toBe(`0111${'?'.repeat(12)}10${'?'.repeat(62)}`);
});

function bitsOf(id: string): string {
  return BigInt(`0x${id.replaceAll('-', '')}`)
    .toString(2)
    .padStart(128, '0');
}
