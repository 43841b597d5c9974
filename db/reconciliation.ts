import { isUnsettled } from '../core/order-lifecycle.ts';
import type { OrderStatus } from '../core/orders.ts';
import { nextCheckAfter, nextSettledCheckAfter } from '../core/reconciliation.ts';
import type { Database, Transaction } from './database.ts';
import { enqueue } from './outbox.ts';

/** Enqueues the check of up to `limit` due orders and schedules their next one. Returns how many. Safe to run concurrently. */
export async function enqueueDueChecks(trx: Transaction, limit: number): Promise<number> {
  const { rows } = await trx.raw<{
    rows: { id: string; checks: number; status: OrderStatus; ageMs: number | null }[];
  }>(
    `select id, checks, status, extract(epoch from now() - coalesce(paid_at, created_at)) * 1000 as "ageMs"
     from orders where next_check_at <= now()
     order by next_check_at limit ? for update skip locked`,
    [limit],
  );
  for (const { id, checks, status, ageMs } of rows) {
    const next = isUnsettled(status)
      ? trx.raw(`created_at + ? * interval '1 millisecond'`, [nextCheckAfter(checks + 1)])
      : trx.raw(`now() + ? * interval '1 millisecond'`, [nextSettledCheckAfter(Number(ageMs))]);
    await trx('orders')
      .where({ id })
      .update({ checks: checks + 1, next_check_at: next });
    await enqueue(trx, { name: 'reconcile-order', payload: { orderId: id } });
  }
  return rows.length;
}

/** Where a page of orders ends. The time is PostgreSQL's text: a Date would round it. */
export interface OrderPosition {
  id: string;
  createdAt: string;
}

/** A page of the orders made since then, oldest first, after the one given. */
export async function listOrderPositions(
  db: Database,
  { since, after, limit }: { since: Date; after: OrderPosition | null; limit: number },
): Promise<OrderPosition[]> {
  return db('orders')
    .select('id', { createdAt: db.raw('created_at::text') })
    .where((query) =>
      after === null
        ? query.where('created_at', '>=', since)
        : query.whereRaw('(created_at, id) > (?::timestamptz, ?::uuid)', [after.createdAt, after.id]),
    )
    .orderBy(['created_at', 'id'])
    .limit(limit);
}
