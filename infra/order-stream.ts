import { ORDER_CHANGED } from '../core/jobs.ts';
import { createClient } from '../db/database.ts';
import type { WatchedStatus } from '../db/order-status.ts';
import { within } from './deadline.ts';
import { breakOff, watchListener } from './heartbeat.ts';
import type { Logger } from './logger.ts';

/** `changed`: read the order. A whole status need not be read. */
export type OrderNotice = WatchedStatus | 'changed' | 'closing';

/** Notifications of committed order changes: one LISTEN connection per process, with fan-out in memory. */
export interface OrderStream {
  /**
   * Calls `listener` with the new status or 'changed' after each committed change of the order, and with 'changed' after a gap
   * in which one may have been missed; with 'closing' when the process shuts down. Statuses may overtake each other. Returns
   * a function that ends the subscription.
   */
  subscribe(orderId: string, listener: (notice: OrderNotice) => void): () => void;
  /** Calls `listener` with each changed order's id, with null after a gap. Returns a function that ends the subscription. */
  subscribeToAll(listener: (orderId: string | null) => void): () => void;
  /** Whether notifications arrive at the moment. */
  isListening(): boolean;
  close(): Promise<void>;
}

const RECONNECT_MS = 1_000;
const CLOSE_MS = 1_000;

export function listenToOrders(databaseUrl: string, logger: Logger): OrderStream {
  const listeners = new Map<string, Set<(notice: OrderNotice) => void>>();
  const listenersToAll = new Set<(orderId: string | null) => void>();
  let client: ReturnType<typeof createClient> | undefined;
  let endWatch = () => {};
  let listening = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  const notify = (orderId: string, notice: OrderNotice = 'changed') => {
    for (const listener of listeners.get(orderId) ?? []) listener(notice);
  };

  async function connect(): Promise<void> {
    const next = createClient(databaseUrl, 'querywright order stream');
    client = next;
    next.on('notification', ({ payload = '' }) => {
      const status: WatchedStatus | undefined = payload.startsWith('{') ? JSON.parse(payload) : undefined;
      const orderId = status?.id ?? payload;
      notify(orderId, status);
      for (const listener of listenersToAll) listener(orderId);
    });
    next.on('error', (error) => reconnect(next, error));
    next.on('end', () => reconnect(next, undefined));
    try {
      await next.connect();
      if (closed) return;
      endWatch = watchListener(async () => next);
      await next.query(`listen ${ORDER_CHANGED}`);
      listening = true;
      for (const orderId of listeners.keys()) notify(orderId);
      for (const listener of listenersToAll) listener(null);
    } catch (error) {
      reconnect(next, error);
    }
  }

  function reconnect(failed: typeof client, error: unknown): void {
    if (closed || failed !== client) return;
    logger.warn({ err: error }, 'order stream disconnected; reconnecting');
    listening = false;
    client = undefined;
    endWatch();
    if (failed) breakOff(failed);
    timer = setTimeout(() => void connect(), RECONNECT_MS);
  }

  void connect();
  return {
    subscribe(orderId, listener) {
      const set = listeners.get(orderId) ?? new Set();
      listeners.set(orderId, set.add(listener));
      return () => {
        set.delete(listener);
        if (set.size === 0 && listeners.get(orderId) === set) listeners.delete(orderId);
      };
    },
    subscribeToAll(listener) {
      listenersToAll.add(listener);
      return () => listenersToAll.delete(listener);
    },
    isListening: () => listening,
    async close() {
      if (closed) return;
      closed = true;
      clearTimeout(timer);
      for (const orderId of listeners.keys()) notify(orderId, 'closing');
      endWatch();
      if (client) await within(CLOSE_MS, client.end()).catch(() => {});
    },
  };
}
