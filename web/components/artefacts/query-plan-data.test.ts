import { expect, test } from 'vitest';
import { after, before, inMs, totalMs } from './query-plan-data.ts';

test('the nodes of both plans add up to the times that the site names', () => {
  expect(inMs(totalMs(before))).toBe('12,430 ms');
  expect(inMs(totalMs(after))).toBe('1,180 ms');
});
