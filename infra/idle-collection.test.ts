import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { collectWhenIdle } from './idle-collection.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('collects memory once after each load, when the process has been idle for 20 s', () => {
  const collections: number[] = [];
  const pause = [0.02, 0.02, 0.02];
  const rest = Array(10).fill(0.02);
  const loads = [...rest, 0.9, 0.5, ...pause, 0.3, ...rest, 0.9, ...rest];
  let check = -1;
  collectWhenIdle({
    collect: () => collections.push(check),
    busyShare: () => loads[++check] ?? Number.NaN,
  });
  vi.advanceTimersByTime(loads.length * 5_000);
  expect(collections).toEqual([19, 30]);
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
  await expect.poll(afterAnotherCheck, { interval: 200, timeout: 5_000 }).toBe(1);
});
