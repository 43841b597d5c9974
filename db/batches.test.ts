import { expect, test } from 'vitest';
import { inBatches } from './batches.ts';

/** A worker of batches that ends each when told to. */
function controlled() {
  const batches: number[][] = [];
  const ends: (() => void)[] = [];
  const double = inBatches(async (items: number[]) => {
    batches.push(items);
    await new Promise<void>((resolve) => ends.push(resolve));
    return items.map((item) => item * 2);
  });
  return { double, batches, ends };
}

test('a lone call is a batch of its own', async () => {
  const double = inBatches(async (items: number[]) => items.map((item) => item * 2));
  expect(await double(21)).toBe(42);
});

test('what is asked while a batch is worked goes together with the next, and each gets its own answer', async () => {
  const { double, batches, ends } = controlled();
  const first = double(1);
  await expect.poll(() => ends.length).toBe(1);
  const others = [double(2), double(3), double(4)];
  ends.shift()?.();
  await expect.poll(() => ends.length).toBe(1);
  ends.shift()?.();
  expect(await Promise.all([first, ...others])).toEqual([2, 4, 6, 8]);
  expect(batches).toEqual([[1], [2, 3, 4]]);
});

test('no batch is larger than a hundred', async () => {
  const sizes: number[] = [];
  const echo = inBatches(async (items: number[]) => {
    sizes.push(items.length);
    return items;
  });
  await Promise.all(Array.from({ length: 250 }, (_, item) => echo(item)));
  expect(sizes).toEqual([100, 100, 50]);
});

test('a bad item fails alone', async () => {
  const echo = inBatches(async (items: number[]) => {
    if (items.includes(2)) throw Object.assign(new Error('two is bad'), { code: '22P05' });
    return items;
  });
  const outcomes = await Promise.allSettled([echo(1), echo(2), echo(3)]);
  expect(outcomes).toMatchObject([
    { status: 'fulfilled', value: 1 },
    { status: 'rejected', reason: { message: 'two is bad' } },
    { status: 'fulfilled', value: 3 },
  ]);
});

test('an outage fails all of a batch, without asking again for each, and ends with it', async () => {
  let down = true;
  let asked = 0;
  const echo = inBatches(async (items: number[]) => {
    asked += 1;
    if (down) throw Object.assign(new Error('away'), { code: '57P01' });
    return items;
  });
  const outcomes = await Promise.allSettled([echo(1), echo(2)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(asked).toBe(1);
  down = false;
  expect(await echo(3)).toBe(3);
});
