import { expect, test } from 'vitest';
import { nastyStrings } from './corpus.ts';

test('there are at least 300 nasty strings, each of its own', () => {
  expect(nastyStrings.length).toBeGreaterThanOrEqual(300);
  expect(new Set(nastyStrings).size).toBe(nastyStrings.length);
});
