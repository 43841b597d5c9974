import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { collectWhenIdle } from './idle-collection.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('collects memory once after each load', () => {
  const collections: number[] = [];
  const loads = [0, 0.9, 0.5, 0.02, 0.02, 0.02, 0.3, 0.02, 0.02];
  let check = -1;
  collectWhenIdle({
    collect: () => collections.push(check),
    busyShare: () => loads[++check] ?? Number.NaN,
  });
  vi.advanceTimersByTime(loads.length * 5_000);
  expect(collections).toEqual([3, 7]);
});

test('distinguishes a busy event loop from an idle one', async () => {
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ['setInterval'] });
  let collections = 0;
  collectWhenIdle({ collect: () => collections++ });
  const end = Date.now() + 300;
  while (Date.now() < end);
  await new Promise((resolve) => setImmediate(resolve));
  vi.advanceTimersByTime(5_000);
  expect(collections).toBe(0);
  const afterAnotherCheck = () => {
    vi.advanceTimersByTime(5_000);
    return collections;
  };
  await expect.poll(afterAnotherCheck, { interval: 200 }).toBe(1);
});
