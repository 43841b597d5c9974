import { expect, test } from 'vitest';
import { nastyStrings } from './corpus.ts';

test('has at least 300 different nasty strings', () => {
  expect(nastyStrings.length).toBeGreaterThanOrEqual(300);
  expect(new Set(nastyStrings).size).toBe(nastyStrings.length);
});
