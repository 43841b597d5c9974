import type { OrderListRequest } from '../core/desk-orders.ts';
import type { Database } from '../db/database.ts';
import { readSalesWeeks } from '../db/order-list.ts';
import { readOrderTimeline } from '../db/order-timeline.ts';
import { readOrderPage } from '../orders/list-orders.ts';
import type { ObservedParts } from '../orders/observe-shop.ts';
import { readToday } from '../orders/today.ts';

type Time = (what: string, work: (n: number) => Promise<unknown>) => Promise<void>;

const lists: Record<string, OrderListRequest> = {
  'all orders': {},
  'one status': { status: 'paid' },
  'a rare status': { status: 'review' },
  'one service': { service: 'audit' },
  'a service no one bought': { service: 'migration' },
  'one method': { method: 'paypal' },
  'an old month': { from: '2025-01-01', to: '2025-01-31' },
  'status, method and service': { status: 'canceled', method: 'paypal', service: 'audit' },
  'an amount': { text: '$2,999.00' },
  'an amount no one paid': { text: '$12.34' },
  'a name no one has': { text: 'qqqq' },
  'a rare name': { text: 'hienselli' },
  'a common name': { text: 'maria' },
  'an initial': { text: 'm' },
  'two common names': { text: 'an schmi' },
  'a common and a rare name': { text: 'maria hienselli' },
  'three names': { text: 'maria anria müller' },
  'a common name, all old': { text: 'oldham' },
  'two common names, one all old': { text: 'maria oldham' },
  'a common name, in a rare status': { text: 'maria', status: 'review' },
  'a common name, in an old month': { text: 'maria', from: '2025-01-01', to: '2025-01-31' },
  'an e-mail address': { text: 'buyer-500@example.com' },
  'a payment': { text: 'pi_bench500' },
};

/** Times what staff wait for at the desk. */
export async function timeDesk(parts: ObservedParts, orderId: string, time: Time): Promise<void> {
  const { db } = parts;
  for (const [what, request] of Object.entries(lists)) {
    await time(`desk: ${what}`, () => readOrderPage(db, request));
  }
  await time('desk: the page after 1,000', pageAfter(db, {}));
  await time('desk: a common name, the page after 1,000', pageAfter(db, { text: 'maria' }));
  await time('desk: an order', () => readOrderTimeline(db, orderId));
  await time('desk: today', () => readToday(parts));
  await time('desk: figures of 12 weeks', () => readSalesWeeks(db, 12));
}

const SKIPPED = 1_000;

function pageAfter(db: Database, request: OrderListRequest): () => Promise<unknown> {
  let after: string | undefined;
  const walk = async () => {
    for (let seen = 0; seen < SKIPPED; ) {
      const page = await readOrderPage(db, { ...request, after });
      if (page.next === null) return;
      after = page.next;
      seen += page.orders.length;
    }
  };
  return async () => {
    if (after === undefined) await walk();
    return readOrderPage(db, { ...request, after });
  };
}
