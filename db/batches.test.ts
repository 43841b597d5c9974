import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type BatchLimits, inBatches } from './batches.ts';

/** Batches that end on command. */
function controlled(limits?: BatchLimits) {
  const batches: number[][] = [];
  const ends: (() => void)[] = [];
  const double = inBatches(async (items: number[]) => {
    batches.push(items);
    await new Promise<void>((resolve) => ends.push(resolve));
    return items.map((item) => item * 2);
  }, limits);
  /** Calls for 1 and 2, in a batch each: the next ones wait. */
  async function occupy(): Promise<Promise<number>[]> {
    const running = [double(1)];
    await expect.poll(() => ends.length).toBe(1);
    running.push(double(2));
    await expect.poll(() => ends.length).toBe(2);
    return running;
  }
  return { double, batches, ends, occupy };
}

test('a single call makes a batch of one', async () => {
  const double = inBatches(async (items: number[]) => items.map((item) => item * 2));
  expect(await double(21)).toBe(42);
});

test('calls made while two batches run form the next one, and each gets its own result', async () => {
  const { double, batches, ends, occupy } = controlled();
  const [first, second] = await occupy();
  const others = [double(3), double(4), double(5)];
  ends.pop()?.();
  expect(await second, 'the second batch does not wait for the first').toBe(4);
  await expect.poll(() => ends.length).toBe(2);
  for (const end of ends) end();
  expect(await Promise.all([first, ...others])).toEqual([2, 6, 8, 10]);
  expect(batches).toEqual([[1], [2], [3, 4, 5]]);
});

test('a batch has the calls that one callback leads to, and does not wait for another callback', async () => {
  const happened: unknown[] = [];
  const call = inBatches(async (items: number[]) => {
    happened.push(items);
    return items;
  });
  const callLater = async () => call(await Promise.resolve(2));
  const other = nextIteration().then(() => happened.push('another callback'));
  await Promise.all([call(1), callLater(), other]);
  expect(happened).toEqual([[1, 2], 'another callback']);
});

describe('with a pace, a delay or time alone', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  function paced(limits: BatchLimits) {
    const batches: number[][] = [];
    const echo = inBatches(async (items: number[]) => {
      batches.push(items);
      return items;
    }, limits);
    return { echo, batches };
  }

  test('a batch takes the calls of its time', async () => {
    const { echo, batches } = paced({ paceMs: 20 });
    await echo(1);
    const second = echo(2);
    await turns();
    vi.advanceTimersByTime(19);
    const third = echo(3);
    await turns();
    expect(batches).toEqual([[1]]);
    vi.advanceTimersByTime(1);
    await Promise.all([second, third]);
    expect(batches).toEqual([[1], [2, 3]]);
  });

  test('a call after a rest waits for no other', async () => {
    const { echo, batches } = paced({ paceMs: 20 });
    await echo(1);
    vi.advanceTimersByTime(20);
    await echo(2);
    expect(batches).toEqual([[1], [2]]);
  });

  test('a delay applies to a call after a rest too', async () => {
    const { echo, batches } = paced({ delayMs: 20 });
    for (const round of [1, 2]) {
      const calls = [echo(round)];
      await turns();
      vi.advanceTimersByTime(19);
      calls.push(echo(-round));
      await turns();
      expect(batches).toHaveLength(round - 1);
      vi.advanceTimersByTime(1);
      await Promise.all(calls);
    }
    expect(batches).toEqual([
      [1, -1],
      [2, -2],
    ]);
  });

  test('enough calls end the wait', async () => {
    const { echo, batches } = paced({ paceMs: 20, enough: 3 });
    await echo(1);
    const others = [echo(2), echo(3)];
    await turns();
    expect(batches).toEqual([[1]]);
    await Promise.all([...others, echo(4)]);
    expect(batches).toEqual([[1], [2, 3, 4]]);
  });

  test('no batch is made if every caller leaves during the wait', async () => {
    const { echo, batches } = paced({ paceMs: 20 });
    await echo(1);
    const caller = new AbortController();
    const left = expect(echo(2, caller.signal)).rejects.toThrow('The caller has gone');
    await turns();
    caller.abort();
    await left;
    vi.advanceTimersByTime(20);
    await turns();
    expect(batches).toEqual([[1]]);
  });

  test('calls made while a batch has time alone form the next one', async () => {
    const { double, batches, ends } = controlled({ aloneMs: 20 });
    const calls = [];
    for (const call of [1, 2, 3]) {
      calls.push(double(call));
      await turns();
    }
    expect(batches).toEqual([[1]]);
    ends.pop()?.();
    await turns();
    ends.pop()?.();
    expect(await Promise.all(calls)).toEqual([2, 4, 6]);
    expect(batches).toEqual([[1], [2, 3]]);
  });

  test('a batch that takes longer than its time alone does not delay the next one', async () => {
    const { double, batches, ends } = controlled({ aloneMs: 20 });
    const slow = double(1);
    await turns();
    const other = double(2);
    await turns();
    vi.advanceTimersByTime(19);
    await turns();
    expect(batches).toEqual([[1]]);
    vi.advanceTimersByTime(1);
    await turns();
    ends.pop()?.();
    expect(await other).toBe(4);
    ends.pop()?.();
    expect(await slow).toBe(2);
  });

  test('a batch that ends early does not shorten the pace', async () => {
    const { double, batches, ends } = controlled({ aloneMs: 20, paceMs: 10 });
    const first = double(1);
    await turns();
    const second = double(2);
    await turns();
    ends.pop()?.();
    await first;
    vi.advanceTimersByTime(9);
    await turns();
    expect(batches).toEqual([[1]]);
    vi.advanceTimersByTime(1);
    await turns();
    expect(batches).toEqual([[1], [2]]);
    ends.pop()?.();
    await second;
  });
});

async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await nextIteration();
}

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

test.each([
  ['a server that shuts down', '57P01'],
  ['a failing disk', '58030'],
  ['a refused connection', 'ECONNREFUSED'],
])('%s fails a whole batch without repeating it', async (_what, code) => {
  let down = true;
  let asked = 0;
  const echo = inBatches(async (items: number[]) => {
    asked += 1;
    if (down) throw Object.assign(new Error('away'), { code });
    return items;
  });
  const outcomes = await Promise.allSettled([echo(1), echo(2)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(asked).toBe(1);
  down = false;
  expect(await echo(3)).toBe(3);
});

test.each([
  ['a locked row', Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })],
  ['an error of ours', new Error('Undefined binding(s) detected')],
])('%s fails alone', async (_, error) => {
  const echo = inBatches(async (items: number[]) => {
    if (items.includes(2)) throw error;
    return items;
  });
  const outcomes = await Promise.allSettled([echo(1), echo(2), echo(3)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('no more than four items are repeated at a time', async () => {
  let atOnce = 0;
  let most = 0;
  const echo = inBatches(async (items: number[]) => {
    if (items.length > 1) throw new Error('one of them is bad');
    most = Math.max(most, ++atOnce);
    await new Promise((resolve) => setImmediate(resolve));
    atOnce -= 1;
    return items;
  });
  await Promise.all(Array.from({ length: 20 }, (_, item) => echo(item)));
  expect(most).toBe(4);
});

test('a call that waits too long is rejected and not made', async () => {
  const { double, batches, ends, occupy } = controlled({ maxWaiting: 10, deadlineMs: 300 });
  const running = Promise.allSettled(await occupy());
  const waiting = Promise.allSettled([double(3)]);
  const overloaded = { reason: { code: 'DATABASE_OVERLOADED' } };
  expect([...(await running), ...(await waiting)]).toMatchObject([overloaded, overloaded, overloaded]);
  for (const end of ends.splice(0)) end();
  const later = double(4);
  await expect.poll(() => ends.length).toBe(1);
  ends.shift()?.();
  expect(await later).toBe(8);
  expect(batches).toEqual([[1], [2], [4]]);
});

test('calls beyond the limit are rejected at once', async () => {
  const { double, ends, occupy } = controlled({ maxWaiting: 2, deadlineMs: 5_000 });
  const running = await occupy();
  const others = [double(3), double(4)];
  await expect(double(5)).rejects.toMatchObject({ code: 'DATABASE_OVERLOADED' });
  for (const end of ends.splice(0)) end();
  await expect.poll(() => ends.length).toBe(1);
  ends.shift()?.();
  expect(await Promise.all([...running, ...others])).toEqual([2, 4, 6, 8]);
});

test('a waiting call whose caller has left is not made', async () => {
  const { double, batches, ends, occupy } = controlled();
  const running = await occupy();
  const gone = new AbortController();
  const dropped = double(3, gone.signal);
  const kept = double(4, new AbortController().signal);
  gone.abort();
  await expect(dropped).rejects.toThrow('The caller has gone');
  for (const end of ends.splice(0)) end();
  await expect.poll(() => ends.length).toBe(1);
  ends.shift()?.();
  expect(await Promise.all([...running, kept])).toEqual([2, 4, 8]);
  expect(batches).toEqual([[1], [2], [4]]);
});

test('a batch runs in no caller’s context, and each caller keeps its own', async () => {
  const storage = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  const echo = inBatches(async (items: string[]) => {
    seen.push(storage.getStore());
    return items;
  });
  const call = (name: string) =>
    storage.run(name, async () => {
      await echo(name);
      return storage.getStore();
    });
  expect(await Promise.all([call('one'), call('other')])).toEqual(['one', 'other']);
  expect(seen).toEqual([undefined]);
});
