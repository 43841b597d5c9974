import type { OrderRow } from '../../core/desk-orders.ts';
import type { Database } from '../../db/database.ts';
import { findListedOrder, listNewOrders, listOrders } from '../../db/order-list.ts';
import type { ListedOrder } from '../../db/order-rows.ts';
import type { Logger } from '../../infra/logger.ts';
import type { OrderStream } from '../../infra/order-stream.ts';
import { toOrderRow } from '../../orders/list-orders.ts';

/** Called with null at first and after a gap in the notifications: the caller has to reload what it shows. */
type Watcher = (order: OrderRow | null) => void;

/** Placing an order sends no notification, to keep it cheap. While a page is open, new orders are polled this often. */
const LOOK_EVERY_MS = 2_000;
const MAX_RECENT = 200;
/** More new orders than this are reported as a gap, because a stream is cut when its buffer is full. */
const MAX_ANNOUNCED = 20;
const BEFORE_ALL = '1970-01-01T00:00:00.000000Z_';

/** Reads each change once per process for all watchers, and nothing while there are none. */
export function createOrderChanges(db: Database, orderStream: OrderStream, logger: Logger) {
  const watchers = new Set<Watcher>();
  /** What was reported since the first watcher subscribed. */
  let seen: { newest?: string; sent: Set<string> } = { sent: new Set() };
  let stop = () => {};

  const publish = (order: ListedOrder | null) => {
    const row = order && toOrderRow(order);
    for (const watcher of watchers) watcher(row);
  };

  async function readChanged(orderId: string | null): Promise<void> {
    if (orderId === null) return publish(null);
    const order = await findListedOrder(db, orderId);
    if (order) publish(order);
  }

  async function lookForNew(since: typeof seen): Promise<void> {
    if (since.newest === undefined) {
      since.newest = (await listOrders(db, {}, undefined, 1))[0]?.cursor ?? BEFORE_ALL;
      since.sent.add(since.newest);
      publish(null);
    }
    const recent = await listNewOrders(db, since.newest, MAX_RECENT);
    const unsent = recent.filter(({ cursor }) => !since.sent.has(cursor));
    for (const order of unsent.length > MAX_ANNOUNCED ? [null] : unsent) publish(order);
    since.newest = recent.at(-1)?.cursor ?? since.newest;
    since.sent = new Set(recent.map(({ cursor }) => cursor));
  }

  function start(): void {
    const quietly = (reading: Promise<void>) =>
      void reading.catch((error: unknown) => logger.debug({ err: error }, 'reading changed orders failed'));
    const unsubscribe = orderStream.subscribeToAll((orderId) => quietly(readChanged(orderId)));
    // A read that is still in flight after the stop keeps its own state.
    const since: typeof seen = { sent: new Set() };
    seen = since;
    quietly(lookForNew(since));
    const timer = setInterval(() => quietly(lookForNew(since)), LOOK_EVERY_MS);
    stop = () => {
      unsubscribe();
      clearInterval(timer);
    };
  }

  return {
    watch(watcher: Watcher): () => void {
      watchers.add(watcher);
      if (watchers.size === 1) start();
      if (seen.newest !== undefined) watcher(null);
      return () => {
        if (watchers.delete(watcher) && watchers.size === 0) stop();
      };
    },
  };
}
