import { expect, test } from 'vitest';
import { parseCount, parseMoment } from './arguments.ts';

const now = Date.parse('2026-11-21T12:00:00Z');

test.each([
  ['90m', '2026-11-21T10:30:00.000Z'],
  ['36h', '2026-11-20T00:00:00.000Z'],
  ['7d', '2026-11-14T12:00:00.000Z'],
  ['2026-11-20', '2026-11-20T00:00:00.000Z'],
  ['2026-11-20T08:00Z', '2026-11-20T08:00:00.000Z'],
])('%s is %s', (text, moment) => {
  expect(parseMoment(text, now).toISOString()).toBe(moment);
});

test.each(['', 'yesterday', '7', '7w', '-1d', '2026-13-40', '2027-01-01'])(
  '%j is not a time in the past',
  (text) => {
    expect(() => parseMoment(text, now)).toThrow(/Must/);
  },
);

test.each(['0', '-1', '1.5', 'many', '10001'])('%s is not a count', (text) => {
  expect(() => parseCount(text)).toThrow('whole number');
});
