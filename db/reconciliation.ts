import { isUnsettled, unsettledStatuses } from '../core/order-lifecycle.ts';
import type { OrderStatus } from '../core/orders.ts';
import { nextCheckAfter, nextSettledCheckAfter } from '../core/reconciliation.ts';
import { recordset, runBatch } from './batch-sql.ts';
import type { Database, Transaction } from './database.ts';
import { enqueueAll, IS_OPEN, SUBJECT } from './outbox.ts';
import { takeTurn } from './schedules.ts';

interface CheckLimits {
  unsettled: number;
  /** Settled orders per turn, for all workers together. */
  settled: number;
  settledEveryMs: number;
}

/**
 * Enqueues the checks of due orders and schedules their next ones. Returns how many. Safe to run concurrently. Settled
 * orders take turns, since more of them may be due than the provider's rate limit allows: their checks then run late, and
 * never delay those of unpaid orders.
 */
export async function enqueueDueChecks(
  trx: Transaction,
  { unsettled, settled, settledEveryMs }: CheckLimits,
): Promise<number> {
  const unsettledCount = await takeDue(trx, dueOrders(trx, unsettled).whereIn('status', unsettledStatuses));
  const isTurn = await takeTurn(trx, 'settled-checks', settledEveryMs);
  if (!isTurn) return unsettledCount;
  return (
    unsettledCount + (await takeDue(trx, dueOrders(trx, settled).whereNotIn('status', unsettledStatuses)))
  );
}

interface DueOrder {
  id: string;
  status: OrderStatus;
  ageMs: number;
  /** Since it was paid. */
  paidForMs: number;
}

function dueOrders(trx: Transaction, limit: number) {
  return trx('orders')
    .select('id', 'status', {
      ageMs: trx.raw('(extract(epoch from now() - created_at) * 1000)::float8'),
      paidForMs: trx.raw('(extract(epoch from now() - coalesce(paid_at, created_at)) * 1000)::float8'),
    })
    .where('next_check_at', '<=', trx.fn.now())
    .orderBy('next_check_at')
    .limit(limit)
    .forUpdate()
    .skipLocked();
}

async function takeDue(trx: Transaction, due: PromiseLike<DueOrder[]>): Promise<number> {
  const checks = (await due).map(({ id, status, ageMs, paidForMs }) => ({
    id,
    unsettled: isUnsettled(status),
    ms: isUnsettled(status) ? nextCheckAfter(ageMs) : nextSettledCheckAfter(paidForMs),
  }));
  if (checks.length === 0) return 0;
  await runBatch(
    trx,
    checks,
    `update orders set checks = checks + 1,
       next_check_at = case when unsettled then created_at else now() end + ms * interval '1 millisecond'
     from (${recordset('id uuid, unsettled boolean, ms float8', checks)}) as next where orders.id = next.id`,
  );
  await enqueueAll(
    trx,
    checks.map(({ id }) => ({ name: 'reconcile-order', payload: { orderId: id } })),
  );
  return checks.length;
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

/** Whether a former payment of the order is not canceled yet, for example because a bank is processing it. */
export async function isFormerPaymentOpen(db: Database, orderId: string): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `select from outbox where job = 'cancel-payment' and ${IS_OPEN} and ${SUBJECT} = ? limit 1`,
    [orderId],
  );
  return rows.length > 0;
}
