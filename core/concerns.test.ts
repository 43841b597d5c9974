import { expect, test } from 'vitest';
import { concernsToRemind, nameOf, repeatAfterMs } from './concerns.ts';

const HOUR_MS = 3_600_000;
const now = Date.parse('2026-11-22T03:00:00Z');
const quiet = {
  now,
  unconfirmed: 0,
  paidWithoutWebhook: [],
  review: 0,
  reviewSince: null,
  held: 0,
  heldSince: null,
  evidenceDueAt: null,
  jobs: [{ job: 'send-email' as const, dead: 0, deadSince: null }],
  transfers: [],
  refusedEmails: 0,
  refusedSince: null,
  messages: 0,
  messagesSince: null,
};

test('reports no concern while nothing needs attention', () => {
  expect(concernsToRemind(quiet)).toEqual([]);
});

test('reports work that has waited for an hour', () => {
  for (const [ageMs, count] of [
    [HOUR_MS - 1, 0],
    [HOUR_MS, 1],
  ] as const) {
    const since = now - ageMs;
    expect(concernsToRemind({ ...quiet, review: 2, reviewSince: since })).toHaveLength(count);
    expect(concernsToRemind({ ...quiet, refusedEmails: 2, refusedSince: since })).toHaveLength(count);
    const jobs = [
      { job: 'send-email' as const, dead: 1, deadSince: since },
      { job: 'remind-staff' as const, dead: 2, deadSince: now },
    ];
    expect(concernsToRemind({ ...quiet, jobs })).toEqual(
      count === 0 ? [] : [{ topic: 'jobs_dead', count: 3, since }],
    );
  }
});

test('names refunds that failed permanently before other jobs', () => {
  const since = now - HOUR_MS;
  const jobs = (['send-email', 'refund-payment', 'refund-duplicate'] as const).map((job) => {
    return { job, dead: 1, deadSince: since };
  });
  expect(concernsToRemind({ ...quiet, jobs })).toEqual([
    { topic: 'refunds_dead', count: 2, since },
    { topic: 'jobs_dead', count: 1, since },
  ]);
});

test('names refunds and payouts that a bank sent back after those that we could not make', () => {
  const [jobsSince, since] = [now - HOUR_MS, now - 2 * HOUR_MS];
  const jobs = (['refund-payment', 'send-email'] as const).map((job) => {
    return { job, dead: 1, deadSince: jobsSince };
  });
  const transfers = (['payout', 'refund'] as const).map((kind) => ({ kind, open: 3, openSince: since }));
  expect(concernsToRemind({ ...quiet, jobs, transfers })).toEqual([
    { topic: 'refunds_dead', count: 1, since: jobsSince },
    { topic: 'refunds_failed', count: 3, since },
    { topic: 'payouts_failed', count: 3, since },
    { topic: 'jobs_dead', count: 1, since: jobsSince },
  ]);
  const fresh = transfers.map((transfer) => ({ ...transfer, openSince: now - HOUR_MS + 1 }));
  expect(concernsToRemind({ ...quiet, transfers: fresh })).toEqual([]);
});

test('reports messages that have waited for a day', () => {
  const waiting = (ms: number) => concernsToRemind({ ...quiet, messages: 3, messagesSince: now - ms });
  expect(waiting(24 * HOUR_MS - 1)).toEqual([]);
  expect(waiting(24 * HOUR_MS)).toEqual([
    { topic: 'messages_unanswered', count: 3, since: now - 24 * HOUR_MS },
  ]);
});

test('reports evidence from two days before its deadline until the deadline', () => {
  for (const [inMs, count] of [
    [48 * HOUR_MS, 0],
    [48 * HOUR_MS - 1, 1],
    [1, 1],
    [0, 0],
  ] as const) {
    expect(concernsToRemind({ ...quiet, evidenceDueAt: now + inMs })).toHaveLength(count);
  }
});

test('concerns that affect orders repeat hourly, separately for each provider', () => {
  const concerns = concernsToRemind({
    ...quiet,
    unconfirmed: 3,
    paidWithoutWebhook: [
      { provider: 'stripe', orders: 2 },
      { provider: 'paypal', orders: 1 },
    ],
    review: 1,
    reviewSince: 0,
    held: 1,
    heldSince: 0,
  });
  expect(concerns.map((concern) => [nameOf(concern), repeatAfterMs(concern) / HOUR_MS])).toEqual([
    ['webhooks_silent:stripe', 1],
    ['webhooks_silent:paypal', 1],
    ['orders_unconfirmed', 1],
    ['orders_in_review', 24],
    ['payments_held', 24],
  ]);
});
