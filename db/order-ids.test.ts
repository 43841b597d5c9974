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

test('it is a UUID of version 7, in lower case', () => {
  const id = newOrderId();
  expect(isUuid(id)).toBe(true);
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('its other 74 bits are random', () => {
  const ids = Array.from({ length: 200 }, () => BigInt(`0x${newOrderId().replaceAll('-', '')}`));
  const isRandom = Array.from({ length: 128 }, (_, bit) => {
    const ones = ids.filter((id) => (id >> BigInt(127 - bit)) & 1n).length;
    // A random bit is outside of this once in 10^11 runs.
    return ones > 50 && ones < 150;
  });
  const varying = isRandom.flatMap((random, bit) => (random && bit >= 48 ? [bit] : []));
  expect(varying).toEqual(
    Array.from({ length: 80 }, (_, n) => n + 48).filter((bit) => ![48, 49, 50, 51, 64, 65].includes(bit)),
  );
});
