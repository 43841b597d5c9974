import { expect, test } from 'vitest';
import { EndlessList, MAX_LIST_MS, MAX_PAGES, readPages } from './pages.ts';

test('reads a list to its end', async () => {
  const pages: Record<string, { items: number[]; next: string | undefined }> = {
    first: { items: [1, 2], next: 'second' },
    second: { items: [], next: 'third' },
    third: { items: [3], next: undefined },
  };
  const read = await readAll(async (start = 'first') => pages[start] ?? { items: [], next: undefined });
  expect(read).toEqual({ items: [1, 2, 3], error: undefined });
});

test('ends when a page comes again, after what it has read', async () => {
  const { items, error } = await readAll(async (start) => ({ items: [start], next: 'same' }));
  expect(items).toEqual([undefined, 'same']);
  expect(error).toEqual(new EndlessList('stripe', 'repeats a page'));
});

test('ends after its pages, however new they are', async () => {
  let pages = 0;
  const { items, error } = await readAll(async () => ({ items: [pages], next: `page ${pages++}` }));
  expect(items).toHaveLength(MAX_PAGES);
  expect(pages).toBe(MAX_PAGES);
  expect(error).toBeInstanceOf(EndlessList);
});

test('ends after its time limit', async () => {
  let time = 0;
  const readPage = async () => {
    time += MAX_LIST_MS / 2;
    return { items: [time], next: `page ${time}` };
  };
  const { items, error } = await readAll(readPage, () => time);
  expect(items).toHaveLength(3);
  expect(error).toBeInstanceOf(EndlessList);
});

async function readAll<T>(
  readPage: (start: string | undefined) => Promise<{ items: T[]; next: string | undefined }>,
  now?: () => number,
) {
  const items: T[] = [];
  try {
    for await (const item of readPages('stripe', readPage, now)) items.push(item);
    return { items, error: undefined };
  } catch (error) {
    return { items, error };
  }
}
