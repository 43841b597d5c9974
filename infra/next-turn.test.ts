import { expect, test } from 'vitest';
import { nextTurn } from './next-turn.ts';

test('other work goes on between two calls made at once', async () => {
  const order: string[] = [];
  const turns = ['first', 'second', 'third'].map(async (name) => {
    await nextTurn();
    order.push(name);
    setImmediate(() => order.push(`after ${name}`));
  });
  await Promise.all(turns);
  expect(order).toEqual(['first', 'after first', 'second', 'after second', 'third']);
});
