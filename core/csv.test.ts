import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';

test('fields are quoted, and quotes are doubled', () => {
  expect(csvLine(['a', 'say "hi"', 'x, y\nz'])).toBe('"a","say ""hi""","x, y\nz"');
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '  =1', '＝1'])('%j is not a formula', (field) => {
  expect(csvLine([field])).toBe(`"'${field}"`);
});

test('an ordinary address stays as it is', () => {
  expect(csvLine(['ada+news@example.com'])).toBe('"ada+news@example.com"');
});
