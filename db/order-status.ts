import type { OrderStatus } from '../core/orders.ts';
import { inBatches, perDatabase } from './batches.ts';
import type { Database } from './database.ts';

/** The part of an order that its buyer watches. */
export interface WatchedStatus {
  id: string;
  status: OrderStatus;
  amountRefunded: number;
  failureReason: string | null;
  paidAt: Date | null;
}

/** Concurrent calls share one query. */
export function readOrderStatus(db: Database, id: string): Promise<WatchedStatus | undefined> {
  return readers(db)(id);
}

const readers = perDatabase((db) =>
  inBatches<string, WatchedStatus | undefined>(async (ids) => {
    const rows: WatchedStatus[] = await db('orders')
      .select('id', 'status', {
        amountRefunded: 'amount_refunded',
        failureReason: 'failure_reason',
        paidAt: 'paid_at',
      })
      .whereRaw('id = any(?)', [ids]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id));
  }),
);
