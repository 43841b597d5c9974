import { expect, test } from 'vitest';
import { bundled, toEntries } from './bundles.ts';

test('rows that are written together are delivered 32 at a time', () => {
  const rows = bundled(Array.from({ length: 70 }, (_, number) => ({ number })));
  const sizes = toEntries(rows.map(({ number, bundle }) => rowOf(String(number), bundle))).map(
    ({ ids }) => ids.length,
  );
  expect(sizes).toEqual([32, 32, 6]);
});

test.each([1, 33, 65])('of %d rows, one that is left over is delivered alone', (count) => {
  const rows = bundled(Array.from({ length: count }, () => ({})));
  expect(rows.map(({ bundle }) => bundle).filter((bundle) => bundle === null)).toHaveLength(1);
  expect(rows.at(-1)?.bundle).toBeNull();
});

test('rows of one bundle that are due again are delivered together, as often as the one delivered most', () => {
  const rows = [rowOf('1', 'a'), rowOf('2', null), { ...rowOf('3', 'a'), delivery: 4 }, rowOf('4', null)];
  expect(toEntries(rows).map(({ ids, delivery }) => [ids, delivery])).toEqual([
    [['1', '3'], 4],
    [['2'], 2],
    [['4'], 2],
  ]);
});

function rowOf(id: string, bundle: string | null) {
  return { id, queue: 'emails', job: 'send-email', delivery: 2, bundle } as const;
}
