import { pino } from 'pino';
import { expect, test } from 'vitest';
import { NO_FACTS } from '../core/payment-facts.ts';
import type { Database } from '../db/database.ts';
import { createOrderFeed } from './order-feed.ts';

const ORDERS = 5_000;

test('reads five thousand orders that change at once in batches, and reports every change', async () => {
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
  const feed = createOrderFeed(db, orderStream, pino({ level: 'silent' }));
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

/** Answers the feed's one query. */
function statusTable() {
  const state = { status: 'pending', queries: 0 };
  const raw = async (_sql: string, { keys }: { keys: string[] }) => {
    state.queries += 1;
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
  return { db: { raw } as unknown as Database, state };
}
