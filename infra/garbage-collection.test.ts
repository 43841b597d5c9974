import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { collectWhenIdle } from './garbage-collection.ts';

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

test('V8 makes half as many major collections once they are to be seldom', () => {
  vi.useRealTimers();
  expect(majorCollections('collectSeldom();')).toBeLessThan(0.75 * majorCollections(''));
}, 60_000);

/** Of a small process whose objects grow old before they become garbage. */
function majorCollections(start: string): number {
  const program = `
    import { constants, PerformanceObserver } from 'node:perf_hooks';
    import { collectSeldom } from '${path.join(import.meta.dirname, 'garbage-collection.ts')}';
    ${start}
    let count = 0;
    new PerformanceObserver((list) => {
      const isMajor = ({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
      count += list.getEntries().filter(isMajor).length;
    }).observe({ entryTypes: ['gc'] });
    const recent = [];
    for (let id = 0; id < 3_000_000; id++) recent[id % 300_000] = { id, of: [id] };
    setTimeout(() => console.log(count), 100);`;
  const options = ['--import', 'tsx', '--max-old-space-size=128', '--max-semi-space-size=2'];
  const args = [...options, '--input-type=module', '--eval', program];
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}
