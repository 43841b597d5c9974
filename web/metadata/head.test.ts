import { expect, test } from 'vitest';
import { headOf } from './head.ts';
import { pages } from './pages.ts';

test('every page has a unique title and description', () => {
  expect(new Set(pages.map((page) => page.title)).size).toBe(pages.length);
  expect(new Set(pages.map((page) => page.description)).size).toBe(pages.length);
  for (const page of pages) expect(page.description.length, page.path).toBeLessThanOrEqual(190);
});

test('only listed pages have a canonical address, the others are noindex', () => {
  for (const page of pages) {
    const head = headOf(page);
    expect(head.includes('rel="canonical"'), page.path).toBe(page.listed);
    expect(head.includes('content="noindex"'), page.path).toBe(!page.listed);
  }
});
