import type { Database } from '../db/database.ts';
import { readOrderStatus, type WatchedStatus } from '../db/order-status.ts';
import type { Logger } from '../infra/logger.ts';
import type { OrderStream } from '../infra/order-stream.ts';
import { NotFound } from './http/errors.ts';

/** Receives each new status as JSON, and null when the process shuts down. */
type Watcher = (status: string | null) => void;

interface Subscription {
  /** The watcher has the current status. Rejects with NotFound if there is no such order, or with the database's error. */
  ready: Promise<void>;
  end(): void;
}

export interface OrderFeed {
  /** Sends the current status, then each committed change. */
  watch(orderId: string, watcher: Watcher): Subscription;
  countOf(orderId: string): number;
  count(): number;
}

interface WatchedOrder {
  watchers: Set<Watcher>;
  last: string | undefined;
  /** Of `last`. */
  version: number;
  reading: Promise<void> | undefined;
  isStale: boolean;
  unsubscribe: () => void;
}

const SWEEP_MS = 20_000;

/** At most one query per changed order, however many clients watch it. A periodic sweep makes up for lost notifications. */
export function createOrderFeed(db: Database, orderStream: OrderStream, logger: Logger): OrderFeed {
  const orders = new Map<string, WatchedOrder>();
  let count = 0;

  /** Reads the order, again if it changes meanwhile. */
  function read(orderId: string, order: WatchedOrder): Promise<void> {
    order.isStale = true;
    order.reading ??= readWhileStale(orderId, order).finally(() => {
      order.reading = undefined;
    });
    return order.reading;
  }

  async function readWhileStale(orderId: string, order: WatchedOrder): Promise<void> {
    while (order.isStale && order.watchers.size > 0) {
      order.isStale = false;
      const { version } = order;
      try {
        const status = await readOrderStatus(db, orderId);
        // What was read is current, unless a status was notified meanwhile.
        if (status && (order.version === version || status.version > order.version)) publish(order, status);
      } catch (error) {
        if (!order.isStale) throw error;
      }
    }
  }

  function refresh(orderId: string, order: WatchedOrder): void {
    read(orderId, order).catch((error: unknown) =>
      logger.debug({ err: error, orderId }, 'reading the order status failed; the next sweep retries'),
    );
  }

  function publish(order: WatchedOrder, { version, ...shown }: WatchedStatus): void {
    order.version = version;
    const status = JSON.stringify(shown);
    if (status === order.last) return;
    order.last = status;
    for (const watcher of order.watchers) watcher(status);
  }

  function open(orderId: string): WatchedOrder {
    const order: WatchedOrder = {
      watchers: new Set(),
      last: undefined,
      version: -1,
      reading: undefined,
      isStale: false,
      unsubscribe: () => {},
    };
    order.unsubscribe = orderStream.subscribe(orderId, (notice) => {
      if (notice === 'changed') refresh(orderId, order);
      else if (notice === 'closing') for (const watcher of order.watchers) watcher(null);
      // Another worker's notice of a later change may have been faster.
      else if (notice.version > order.version) publish(order, notice);
    });
    orders.set(orderId, order);
    return order;
  }

  async function sendCurrent(orderId: string, order: WatchedOrder, watcher: Watcher): Promise<void> {
    if (order.last !== undefined) {
      watcher(order.last);
      return refresh(orderId, order);
    }
    await read(orderId, order);
    if (order.last === undefined && order.watchers.has(watcher)) throw new NotFound('Order not found');
  }

  setInterval(() => {
    for (const [orderId, order] of orders) refresh(orderId, order);
  }, SWEEP_MS).unref();

  return {
    watch(id, watcher) {
      const orderId = id.toLowerCase();
      const order = orders.get(orderId) ?? open(orderId);
      order.watchers.add(watcher);
      count += 1;
      return {
        ready: sendCurrent(orderId, order, watcher),
        end() {
          if (!order.watchers.delete(watcher)) return;
          count -= 1;
          if (order.watchers.size > 0) return;
          order.unsubscribe();
          orders.delete(orderId);
        },
      };
    },
    countOf: (orderId) => orders.get(orderId.toLowerCase())?.watchers.size ?? 0,
    count: () => count,
  };
}
