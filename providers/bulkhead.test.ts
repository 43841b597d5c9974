import { expect, test } from 'vitest';
import { createBulkhead, ProviderBusy } from './bulkhead.ts';
import { ProviderError } from './provider-error.ts';

const noAnswer = new ProviderError('stripe', 'no answer', { cause: undefined });
const refusal = new ProviderError('stripe', 'no such order', { statusCode: 404, cause: undefined });

test('calls beyond the slots are refused at once, each with a later retry time', async () => {
  const { bulkhead } = bulkheadOf(2);
  const calls = [pending(), pending()];
  const running = calls.map(({ call }) => bulkhead.run(call));
  const turns = [await refused(bulkhead), await refused(bulkhead), await refused(bulkhead)];
  expect(turns).toEqual([...turns].sort((a, b) => a - b));
  expect(new Set(turns).size).toBe(3);

  for (const { answer } of calls) answer();
  await Promise.all(running);
  await expect(bulkhead.run(async () => 'answer')).resolves.toBe('answer');
});

test('five outages in a row open the circuit, for longer each time a trial call fails', async () => {
  const { bulkhead, clock, changes } = bulkheadOf(10);
  await fail(bulkhead, 5);
  expect(changes).toEqual([true]);
  expect(await refused(bulkhead)).toBeGreaterThanOrEqual(5_000);

  clock.now += 5_000;
  const probe = pending();
  const probing = bulkhead.run(probe.call);
  await refused(bulkhead);
  probe.fail(noAnswer);
  await expect(probing).rejects.toThrow('no answer');
  expect(await refused(bulkhead)).toBeGreaterThanOrEqual(10_000);

  clock.now += 10_000;
  await bulkhead.run(async () => 'answer');
  expect(changes).toEqual([true, false]);
  await Promise.all(Array.from({ length: 10 }, () => bulkhead.run(async () => 'answer')));
});

test('a refusal counts as an answer, and no retry time is later than 30 s', async () => {
  const { bulkhead, changes } = bulkheadOf(1);
  await fail(bulkhead, 4);
  await expect(bulkhead.run(() => Promise.reject(refusal))).rejects.toBe(refusal);
  await fail(bulkhead, 4);
  expect(changes).toEqual([]);

  void bulkhead.run(() => new Promise(() => {}));
  for (let count = 0; count < 1_000; count++) expect(await refused(bulkhead)).toBeLessThanOrEqual(30_000);
});

test('a list holds its slot until it ends or its reader stops', async () => {
  const { bulkhead } = bulkheadOf(1);
  async function* events() {
    yield 1;
    yield 2;
  }
  for await (const event of bulkhead.list(events())) {
    await refused(bulkhead);
    if (event === 1) break;
  }
  const seen: number[] = [];
  for await (const event of bulkhead.list(events())) seen.push(event);
  expect(seen).toEqual([1, 2]);
});

function bulkheadOf(slots: number) {
  const clock = { now: 0 };
  const changes: boolean[] = [];
  const bulkhead = createBulkhead('stripe', {
    slots,
    onCircuit: (isOpen) => changes.push(isOpen),
    now: () => clock.now,
  });
  return { bulkhead, clock, changes };
}

type TestBulkhead = ReturnType<typeof createBulkhead>;

/** The delay with which a call is refused. */
async function refused(bulkhead: TestBulkhead): Promise<number> {
  const error = await bulkhead.run(async () => 'answer').catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ProviderBusy);
  return (error as ProviderBusy).retryInMs;
}

async function fail(bulkhead: TestBulkhead, times: number): Promise<void> {
  for (let count = 0; count < times; count++) {
    await expect(bulkhead.run(() => Promise.reject(noAnswer))).rejects.toBe(noAnswer);
  }
}

function pending() {
  let answer = () => {};
  let fail = (_error: Error) => {};
  const promise = new Promise<void>((resolve, reject) => {
    answer = resolve;
    fail = reject;
  });
  return { call: () => promise, answer: () => answer(), fail: (error: Error) => fail(error) };
}
