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
