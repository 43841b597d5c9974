import { expect, test } from 'vitest';
import { safeReturnPath } from './return-path.ts';

test.each(['/', '/pricing', '/enroll', '/pricing?service=audit#payment', '/success?orderId=1'])(
  '%s is a valid return path',
  (path) => {
    expect(safeReturnPath(path)).toBe(path);
  },
);

test.each([
  undefined,
  null,
  7,
  ['/pricing'],
  '',
  'pricing',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  'https:evil.example',
  'https://evil.example/pricing',
  'javascript:alert(1)',
  '%2f%2fevil.example',
  '/%2f%2fevil.example',
  '/%5cevil.example',
  '/..//evil.example',
  '/.//evil.example',
  '/\tevil',
  '/\r\nSet-Cookie: a=b',
  '/%0d%0aSet-Cookie: a=b',
  '/api/logout',
  '/x/../api/logout',
  '/API/logout',
  `/${'x'.repeat(500)}`,
])('%j is not, and the home page is used', (value) => {
  expect(safeReturnPath(value)).toBe('/');
});
