import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CappedMemory, MAX_KEYS } from './capped-memory.ts';
import { clientKey } from './client-key.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('65,536 networks of one /48 do not fill the memory, and an honest address is served', async () => {
  const limiter = new CappedMemory({ points: 3, duration: 600, keyPrefix: 'test' });
  const regular = clientKey('198.51.100.7');
  expect(await uses(limiter, regular, 1)).toBe(1);
  const counted = new Set<string>();
  for (let part = 0; part < 65_536; part++) {
    const attacker = clientKey(`2001:db8:7:${part.toString(16)}::1`);
    await limiter.consume(attacker).catch(() => {});
    counted.add(limiter.getKey(attacker));
  }
  expect(counted.size).toBe(MAX_KEYS);
  expect(vi.getTimerCount(), 'one per count').toBeLessThanOrEqual(MAX_KEYS + 1);

  expect(await uses(limiter, regular, 5), 'has used one before').toBe(2);
  expect(await uses(limiter, clientKey('203.0.113.1'), 5), 'a newcomer').toBe(3);
  expect(await uses(limiter, clientKey('2001:db8:8:1::1'), 5), 'of another /48').toBe(3);
  expect(await uses(limiter, clientKey('2001:db8:7:ffff::9'), 5), 'of the attacker’s').toBe(0);
});

test('addresses are counted one by one again after the flood', async () => {
  const limiter = new CappedMemory({ points: 1, duration: 60, keyPrefix: 'test' });
  for (let n = 0; n < MAX_KEYS; n++) limiter.getKey(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
  expect(await uses(limiter, '203.0.113.1', 1)).toBe(1);
  expect(await uses(limiter, '203.0.113.2', 1), 'together with its network').toBe(0);
  await vi.advanceTimersByTimeAsync(61_000);
  expect(await uses(limiter, '203.0.113.1', 1)).toBe(1);
  expect(await uses(limiter, '203.0.113.2', 1)).toBe(1);
});

test('the latest of very many networks are counted together', async () => {
  const limiter = new CappedMemory({ points: 1, duration: 60, keyPrefix: 'test' });
  const counted = new Set<string>();
  for (let n = 0; n < 3 * MAX_KEYS; n++)
    counted.add(limiter.getKey(`${(n >> 16) + 1}.${(n >> 8) & 255}.${n & 255}.1`));
  expect(counted.size).toBe(2 * MAX_KEYS + 1);
});

/** How many of `tries` uses are within the limit. */
async function uses(limiter: CappedMemory, key: string, tries: number): Promise<number> {
  let within = 0;
  for (let n = 0; n < tries; n++)
    within += await limiter.consume(key).then(
      () => 1,
      () => 0,
    );
  return within;
}
