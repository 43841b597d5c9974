import { expect, test } from 'vitest';
import { age, show, table } from './table.ts';

test('columns are aligned, and nothing is shown as a dash', () => {
  const text = table(
    ['id', 'what'],
    [
      [1, 'short'],
      [1000, null],
    ],
  );
  expect(text).toBe('ID    WHAT\n1     short\n1000  -');
});

test('untrusted text cannot control the terminal or break the line', () => {
  expect(show('\u001b[2J\u001b]0;title\u0007Ada\r\nLovelace\u202e')).toBe('[2J ]0;title Ada Lovelace');
});

test('a long cell is cut', () => {
  expect(show('x'.repeat(500))).toHaveLength(100);
});

test.each([
  [7.4, '7 s'],
  [600, '10 min'],
  [7_200, '2 h'],
  [260_000, '3 d'],
])('%d seconds are %s', (seconds, text) => {
  expect(age(seconds)).toBe(text);
});
