import { expect, test } from 'vitest';
import { PermanentFailure, RetryLater, retryDelay } from './retry.ts';

const DAY_MS = 24 * 3_600_000;
const outage = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const bug = new TypeError('x is not a function');
const half = () => 0.5;

test.each([
  [0, 1_000],
  [3, 8_000],
  [4, 10_000],
  [20, 60_000],
  [40, 600_000],
])('an outage after %i failures is retried in %i ms', (attempts, delay) => {
  expect(retryDelay(outage, { attempts, failingForMs: 0 }, { random: half })).toBe(delay);
});

test('the delay varies by a quarter, so that failed jobs do not return together', () => {
  const delays = [0, 0.999].map((random) =>
    retryDelay(outage, { attempts: 4, failingForMs: 0 }, { random: () => random }),
  );
  expect(delays).toEqual([7_500, expect.closeTo(12_500, -2)]);
});

test('a job is dead-lettered once it has failed for a day', () => {
  expect(retryDelay(outage, { attempts: 300, failingForMs: DAY_MS })).toBe(null);
  expect(retryDelay(new RetryLater('not yet', 500), { attempts: 300, failingForMs: DAY_MS })).toBe(null);
});

test('the first failure of a job is retried however old the job is', () => {
  expect(retryDelay(outage, { attempts: 0, failingForMs: 0 }, { random: half })).toBe(1_000);
});

test('a job gets eight attempts even if no worker ran for days between two of them', () => {
  expect(retryDelay(outage, { attempts: 6, failingForMs: 5 * DAY_MS }, { random: half })).toBe(10_000);
  expect(retryDelay(outage, { attempts: 7, failingForMs: 5 * DAY_MS }, { random: half })).toBe(null);
});

test('an unexpected error is retried seven times', () => {
  expect(retryDelay(bug, { attempts: 6, failingForMs: 0 }, { random: half })).toBe(10_000);
  expect(retryDelay(bug, { attempts: 7, failingForMs: 0 }, { random: half })).toBe(null);
});

test.each([
  ['EENVELOPE', 451],
  ['EAUTH', 535],
])(
  'a mail server’s %s %i is an outage: greylisting takes minutes, and a password can be corrected',
  (code, responseCode) => {
    const deferred = Object.assign(new Error('all recipients were rejected'), { code, responseCode });
    expect(retryDelay(deferred, { attempts: 30, failingForMs: 3_600_000 }, { random: half })).toBe(60_000);
  },
);

test('a job that requests a delay gets it', () => {
  expect(retryDelay(new RetryLater('claimed elsewhere', 5_000), { attempts: 30, failingForMs: 0 })).toBe(
    5_000,
  );
});

test('a job that is only too early is retried like an outage', () => {
  expect(
    retryDelay(new RetryLater('order not found'), { attempts: 20, failingForMs: 0 }, { random: half }),
  ).toBe(60_000);
});

test('the stored error names the kind of failure', () => {
  expect(String(new RetryLater('not yet'))).toBe('RetryLater: not yet');
  expect(String(new PermanentFailure('no such order'))).toBe('PermanentFailure: no such order');
});

test('a permanent failure is not retried', () => {
  expect(retryDelay(new PermanentFailure('no such order'), { attempts: 0, failingForMs: 0 })).toBe(null);
});
