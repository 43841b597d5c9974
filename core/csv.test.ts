import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';

test('fields are quoted, and quotes are doubled', () => {
  expect(csvLine(['a', 'say "hi"', 'x, y\nz'])).toBe('"a","say ""hi""","x, y\nz"');
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t1', '\r1', '  =1', '＝1'])('%j is not a formula', (field) => {
  expect(csvLine([field])).toBe(`"'${field}"`);
});

test('an ordinary address stays as it is', () => {
  expect(csvLine(['ada+news@example.com'])).toBe('"ada+news@example.com"');
});

test.each([
  ['Bob;=cmd|x', "Bob;'=cmd|x"],
  ['Bob,+1', "Bob,'+1"],
  ['Bob\t@SUM(A1)', "Bob\t'@SUM(A1)"],
  ['Bob\n-1', "Bob\n'-1"],
  ['Bob\r\n=1', "Bob\r\n'=1"],
  ['Bob;  =1', "Bob;'  =1"],
  ['Bob;＝1', "Bob;'＝1"],
  ['Bob;"=1', 'Bob;\'""=1'],
  ['Bob;;=1;=2', "Bob;;'=1;'=2"],
  ['=1;=2', "'=1;'=2"],
  ['\t=1', "'\t'=1"],
  ['\r=1', "'\r'=1"],
])('%j starts no formula after a separator', (field, defused) => {
  expect(csvLine([field])).toBe(`"${defused}"`);
});

test.each(['a=b; c', 'Lovett, Ada', 'ada@example.com;bob@example.com', 'x-1,y+2'])(
  '%j stays as it is',
  (field) => {
    expect(csvLine([field])).toBe(`"${field}"`);
  },
);
