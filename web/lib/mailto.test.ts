import { expect, test } from 'vitest';
import { mailto } from './mailto.ts';

test.each([
  ['ada@example.com', 'mailto:ada@example.com'],
  ['ada+test@example.com', 'mailto:ada%2Btest@example.com'],
  ['a%b?c&d#e@example.com', 'mailto:a%25b%3Fc%26d%23e@example.com'],
  ['"not me"@example.com', 'mailto:%22not%20me%22@example.com'],
  ['"a@b"@example.com', 'mailto:%22a%40b%22@example.com'],
  ['zoë@bücher.example', 'mailto:zo%C3%AB@b%C3%BCcher.example'],
])('%s becomes a link that a mail program reads as that address', (address, link) => {
  expect(mailto(address)).toBe(link);
  expect(decodeURIComponent(link.slice('mailto:'.length))).toBe(address);
});

test('a subject is encoded, spaces as %20', () => {
  expect(mailto('ada@example.com', 'Q&A: 100 %?')).toBe(
    'mailto:ada@example.com?subject=Q%26A%3A%20100%20%25%3F',
  );
});
