import { pino } from 'pino';
import { expect, test } from 'vitest';
import { NO_FACTS } from '../core/payment-facts.ts';
import type { Database } from '../db/database.ts';
import type { WatchedStatus } from '../db/order-status.ts';
import type { OrderNotice } from '../infra/order-stream.ts';
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

test('a notified status is shown without a read, and never after a newer one', async () => {
  const { feed, notify, state } = createFeed();
  const seen: string[] = [];
  await feed.watch('1', (status) => seen.push(JSON.parse(status ?? '{}').status)).ready;
  expect(state.queries).toBe(1);

  notify.get('1')?.('changed');
  notify.get('1')?.(notified('paid', 3));
  notify.get('1')?.(notified('processing', 2));
  await expect.poll(() => state.queries).toBe(2);
  await new Promise((resolve) => setImmediate(resolve));
  notify.get('1')?.(notified('refunded', 4));
  expect(seen).toEqual(['pending', 'paid', 'refunded']);
});

test('a notified status that looks the same as the one shown counts as newer than those before it', async () => {
  const { feed, notify } = createFeed();
  const seen: string[] = [];
  await feed.watch('1', (status) => seen.push(JSON.parse(status ?? '{}').status)).ready;
  for (const [status, version] of [
    ['paid', 2],
    ['paid', 4],
    ['disputed', 3],
  ] as const) {
    notify.get('1')?.(notified(status, version));
  }
  expect(seen).toEqual(['pending', 'paid']);
});

test('an order that a failover set back is shown as it is read', async () => {
  const { feed, notify, state } = createFeed();
  const seen: string[] = [];
  await feed.watch('1', (status) => seen.push(JSON.parse(status ?? '{}').status)).ready;
  notify.get('1')?.(notified('failed', 3));
  Object.assign(state, { status: 'pending', version: 1 });
  notify.get('1')?.('changed');
  await expect.poll(() => seen).toEqual(['pending', 'failed', 'pending']);
  notify.get('1')?.(notified('paid', 2));
  expect(seen.at(-1)).toBe('paid');
});

test('a status that is notified while the order is being read is shown at once', async () => {
  const { feed, notify, state } = createFeed();
  const seen: string[] = [];
  const { ready } = feed.watch('1', (status) => seen.push(JSON.parse(status ?? '{}').status));
  notify.get('1')?.(notified('paid', 2));
  expect(seen).toEqual(['paid']);
  await ready;
  expect([seen, state.queries]).toEqual([['paid'], 1]);
});

function notified(status: WatchedStatus['status'], version: number): WatchedStatus {
  return {
    id: '1',
    version,
    status,
    amountRefunded: 0,
    moneyTaken: 'none',
    debitReturned: false,
    paymentMethod: 'stripe',
    methodType: null,
    failureReason: null,
    paidAt: null,
  };
}

function createFeed() {
  const { db, state } = statusTable();
  const notify = new Map<string, (notice?: OrderNotice) => void>();
  const orderStream = {
    subscribe(orderId: string, listener: (notice: OrderNotice) => void) {
      notify.set(orderId, (notice = 'changed') => listener(notice));
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
  const state = { status: 'pending', version: 1, queries: 0, failures: 0, beforeFailure: () => {} };
  const raw = async (_sql: string, { keys }: { keys: string[] }) => {
    state.queries += 1;
    if (state.failures > 0) {
      state.failures -= 1;
      state.beforeFailure();
      throw new Error('no answer');
    }
    const rows = keys.map((id) => ({
      id,
      version: state.version,
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
