import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
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
  const trickle = [0.06, 0.02, 0.09];
  const loads = [...rest, 0.9, 0.5, ...pause, ...trickle, ...rest, ...trickle, ...rest, 0.9, ...rest];
  let check = -1;
  collectWhenIdle({
    collect: () => collections.push(check),
    busyShare: () => loads[++check] ?? Number.NaN,
  });
  vi.advanceTimersByTime(loads.length * 5_000);
  expect(collections).toEqual([21, 45]);
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

describe('once major collections are to be seldom', () => {
  test('there are half as many', () => {
    const growOld = `
      const recent = [];
      for (let id = 0; id < 3_000_000; id++) recent[id % 300_000] = make(id);`;
    const usual = majorCollections('', growOld);
    expect(majorCollections('collectSeldom();', growOld)).toBeLessThan(0.75 * usual);
  });

  test('there is none for short-lived objects, though earlier ones lived long', () => {
    const liveLong = `
      const kept = [];
      for (let round = 0; round < 40; round++) {
        kept[round % 10] = Array.from({ length: 20_000 }, (_, id) => make(id));
        await sleep(1);
      }`;
    const liveShort = `
      const recent = [];
      for (let id = 0; id < 6_000_000; id++) recent[id % 100] = make(id);`;
    expect(majorCollections(liveLong, liveShort)).toBeGreaterThan(0);
    expect(majorCollections(`collectSeldom(); ${liveLong}`, liveShort)).toBe(0);
  });
}, 60_000);

/** How many the second part causes in a small process. */
function majorCollections(first: string, second: string): number {
  const program = `
    import { constants, PerformanceObserver } from 'node:perf_hooks';
    import { setTimeout as sleep } from 'node:timers/promises';
    import { collectSeldom } from '${path.join(import.meta.dirname, 'garbage-collection.ts')}';
    let count = 0;
    new PerformanceObserver((list) => {
      const isMajor = ({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
      count += list.getEntries().filter(isMajor).length;
    }).observe({ entryTypes: ['gc'] });
    const make = (id) => ({ id, of: [id] });
    { ${first} }
    globalThis.gc();
    await sleep(50);
    const before = count;
    { ${second} }
    await sleep(100);
    console.log(count - before);`;
  const options = ['--import', 'tsx', '--max-old-space-size=128', '--max-semi-space-size=2', '--expose-gc'];
  const args = [...options, '--input-type=module', '--eval', program];
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}
