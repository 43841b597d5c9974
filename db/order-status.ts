import type { OrderStatus } from '../core/orders.ts';
import { type BatchLimits, inBatches, perDatabase } from './batches.ts';
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
  }, limits),
);

/** A sweep asks for every watched order at once, and no client waits for it. */
const limits: BatchLimits = { maxWaiting: 20_000, deadlineMs: 30_000 };
