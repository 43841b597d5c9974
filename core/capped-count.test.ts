import { expect, test } from 'vitest';
import { cappedCount, MAX_COUNTED } from './capped-count.ts';

test('a count that may have stopped says so', () => {
  expect([0, 1_284, MAX_COUNTED - 1, MAX_COUNTED].map(cappedCount)).toEqual([
    '0',
    '1,284',
    '9,999',
    '10,000+',
  ]);
});
