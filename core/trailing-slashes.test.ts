import { expect, test } from 'vitest';
import { withoutTrailingSlashes } from './trailing-slashes.ts';

test.each([
  ['/', '/'],
  ['//', '/'],
  ['/pricing', '/pricing'],
  ['/pricing/', '/pricing'],
  ['/pricing///', '/pricing'],
  ['/a//b/', '/a//b'],
  ['', ''],
])('%j becomes %j', (path, expected) => {
  expect(withoutTrailingSlashes(path)).toBe(expected);
});

test('takes linear time for a hundred thousand slashes', () => {
  const started = performance.now();
  withoutTrailingSlashes(`${'/'.repeat(100_000)}a`);
  withoutTrailingSlashes('/'.repeat(100_000));
  expect(performance.now() - started).toBeLessThan(100);
});
