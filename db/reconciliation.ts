import { nextCheckAfter } from '../core/reconciliation.ts';
import type { Database, Transaction } from './database.ts';
import { enqueue } from './outbox.ts';

/**
 * Takes up to `limit` orders whose check is due, writes one job for each and sets the next check. Row locks make
 * each check the work of one worker, however many run. Returns how many were taken.
 */
export async function enqueueDueChecks(trx: Transaction, limit: number): Promise<number> {
  const { rows } = await trx.raw<{ rows: { id: string; checks: number }[] }>(
    `select id, checks from orders where next_check_at <= now()
     order by next_check_at limit ? for update skip locked`,
    [limit],
  );
  for (const { id, checks } of rows) {
    await trx('orders')
      .where({ id })
      .update({
        checks: checks + 1,
        next_check_at: trx.raw(`created_at + ? * interval '1 millisecond'`, [nextCheckAfter(checks + 1)]),
      });
    await enqueue(trx, { name: 'reconcile-order', payload: { orderId: id } });
  }
  return rows.length;
}

/** Lets a worker check the order with its provider the next time it looks, also one that is not due. */
export async function checkSoon(db: Database, orderId: string): Promise<void> {
  await db('orders').where({ id: orderId }).update({ next_check_at: db.fn.now() });
}

/** A page of the ids of orders made since then, by id, after the one given. */
export async function listOrderIds(
  db: Database,
  { since, after, limit }: { since: Date; after: string | null; limit: number },
): Promise<string[]> {
  return db('orders')
    .where('created_at', '>=', since)
    .where((query) => (after === null ? query : query.where('id', '>', after)))
    .orderBy('id')
    .limit(limit)
    .pluck('id');
}
