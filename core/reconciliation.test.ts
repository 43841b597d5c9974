import { expect, test } from 'vitest';
import { nextCheckAfter } from './reconciliation.ts';

const HOUR_MS = 3_600_000;

test.each([
  ['at once', 0, 1 / 30],
  ['on time', 1 / 30, 1 / 6],
  ['late', 1 / 6 + 0.001, 1 / 2],
  ['after hours without a worker', 7, 12],
  ['as it expires', 24, 48],
  ['days later', 49, 72],
])('an order that is checked %s is checked next when the schedule says', (_when, ageInHours, dueInHours) => {
  expect(nextCheckAfter(ageInHours * HOUR_MS)).toBeCloseTo(dueInHours * HOUR_MS);
});
