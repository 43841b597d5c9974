import type { Database } from '../db/database.ts';
import { readOrderStatus, type WatchedStatus } from '../db/order-status.ts';
import type { Logger } from '../infra/logger.ts';
import type { OrderStream } from '../infra/order-stream.ts';

/** Receives each new status as JSON, and null when the process shuts down. */
type Watcher = (status: string | null) => void;

export interface OrderFeed {
  /** Sends the current status, then each committed change. Returns the end of the subscription. */
  watch(orderId: string, watcher: Watcher): () => void;
  countOf(orderId: string): number;
  count(): number;
}

interface WatchedOrder {
  watchers: Set<Watcher>;
  last: string | undefined;
  isReading: boolean;
  isStale: boolean;
  unsubscribe: () => void;
}

const SWEEP_MS = 20_000;

/** One query per changed order, however many clients watch it. A periodic sweep makes up for lost notifications. */
export function createOrderFeed(db: Database, orderStream: OrderStream, logger: Logger): OrderFeed {
  const orders = new Map<string, WatchedOrder>();
  let count = 0;

  async function refresh(orderId: string, order: WatchedOrder): Promise<void> {
    order.isStale = true;
    if (order.isReading) return;
    order.isReading = true;
    while (order.isStale && order.watchers.size > 0) {
      order.isStale = false;
      const status = await readOrderStatus(db, orderId).catch((error: unknown) => {
        logger.debug({ err: error, orderId }, 'reading the order status failed; the next sweep retries');
        return undefined;
      });
      if (status) publish(order, JSON.stringify(toStatusEvent(status)));
    }
    order.isReading = false;
  }

  function publish(order: WatchedOrder, status: string): void {
    if (status === order.last) return;
    order.last = status;
    for (const watcher of order.watchers) watcher(status);
  }

  function open(orderId: string): WatchedOrder {
    const order: WatchedOrder = {
      watchers: new Set(),
      last: undefined,
      isReading: false,
      isStale: false,
      unsubscribe: () => {},
    };
    order.unsubscribe = orderStream.subscribe(orderId, (notice) => {
      if (notice === 'changed') return void refresh(orderId, order);
      for (const watcher of order.watchers) watcher(null);
    });
    orders.set(orderId, order);
    return order;
  }

  setInterval(() => {
    for (const [orderId, order] of orders) void refresh(orderId, order);
  }, SWEEP_MS).unref();

  return {
    watch(orderId, watcher) {
      const order = orders.get(orderId) ?? open(orderId);
      order.watchers.add(watcher);
      count += 1;
      if (order.last !== undefined) watcher(order.last);
      void refresh(orderId, order);
      return () => {
        if (!order.watchers.delete(watcher)) return;
        count -= 1;
        if (order.watchers.size > 0) return;
        order.unsubscribe();
        orders.delete(orderId);
      };
    },
    countOf: (orderId) => orders.get(orderId)?.watchers.size ?? 0,
    count: () => count,
  };
}

function toStatusEvent({ paidAt, ...status }: WatchedStatus) {
  return { ...status, paidAt: paidAt?.toISOString() ?? null };
}
