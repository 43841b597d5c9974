import { expect, test, vi } from 'vitest';
import { memoize } from './memoize.ts';

test('computes each key once, and again after it was evicted', () => {
  const work = vi.fn((key: string) => key.length);
  const lengthOf = memoize(work);
  expect([lengthOf('ten'), lengthOf('ten')]).toEqual([3, 3]);
  expect(work).toHaveBeenCalledTimes(1);
  for (let number = 0; number < 1_000; number++) lengthOf(String(number));
  expect(lengthOf('ten')).toBe(3);
  expect(work).toHaveBeenCalledTimes(1_002);
});

test('does not keep what is longer than an address', () => {
  const work = vi.fn((key: string) => key.length);
  const lengthOf = memoize(work);
  const long = 'x'.repeat(65);
  expect([lengthOf(long), lengthOf(long)]).toEqual([65, 65]);
  expect(work).toHaveBeenCalledTimes(2);
});
