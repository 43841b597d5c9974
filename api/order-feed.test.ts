import { pino } from 'pino';
import { expect, test } from 'vitest';
import { NO_FACTS } from '../core/payment-facts.ts';
import type { Database } from '../db/database.ts';
import { createOrderFeed } from './order-feed.ts';

const ORDERS = 5_000;

test('reads five thousand orders that change at once in batches, and reports every change', async () => {
  const { feed, notify, state } = createFeed();
  const seen = new Map<string, string>();
  for (let n = 0; n < ORDERS; n++) feed.watch(String(n), (status) => seen.set(String(n), status ?? ''));
  await expect.poll(() => seen.size).toBe(ORDERS);

  Object.assign(state, { status: 'paid', queries: 0 });
  for (const change of notify.values()) change();
  await expect
    .poll(() => [...seen.values()].filter((status) => status.includes('"paid"')).length)
    .toBe(ORDERS);
  expect(state.queries).toBe(ORDERS / 100);
});

test('an order that changes while reading it fails is read again', async () => {
  const { feed, notify, state } = createFeed();
  const seen: (string | null)[] = [];
  await feed.watch('1', (status) => seen.push(status)).ready;
  Object.assign(state, { status: 'paid', failures: 1, beforeFailure: () => notify.get('1')?.() });
  notify.get('1')?.();
  await expect.poll(() => seen.at(-1)).toContain('"paid"');
});

test('a stream whose order cannot be read is refused, and its watcher forgotten', async () => {
  const { feed, state } = createFeed();
  state.failures = 1;
  const { ready, end } = feed.watch('1', () => {});
  await expect(ready).rejects.toThrow('no answer');
  end();
  expect([feed.count(), feed.countOf('1')]).toEqual([0, 0]);
});

function createFeed() {
  const { db, state } = statusTable();
  const notify = new Map<string, () => void>();
  const orderStream = {
    subscribe(orderId: string, listener: (notice: 'changed' | 'closing') => void) {
      notify.set(orderId, () => listener('changed'));
      return () => notify.delete(orderId);
    },
    subscribeToAll: () => () => {},
    isListening: () => true,
    close: async () => {},
  };
  return { feed: createOrderFeed(db, orderStream, pino({ level: 'silent' })), notify, state };
}

/** Answers the feed's one query. */
function statusTable() {
  const state = { status: 'pending', queries: 0, failures: 0, beforeFailure: () => {} };
  const raw = async (_sql: string, { keys }: { keys: string[] }) => {
    state.queries += 1;
    if (state.failures > 0) {
      state.failures -= 1;
      state.beforeFailure();
      throw new Error('no answer');
    }
    const rows = keys.map((id) => ({
      id,
      status: state.status,
      amountRefunded: 0,
      facts: NO_FACTS,
      failureReason: null,
      paidAt: null,
    }));
    return { rows };
  };
  return { db: { raw, userParams: {} } as unknown as Database, state };
}
