import { setTimeout as sleep } from 'node:timers/promises';
import type { OrderStatus } from '../core/orders.ts';
import { databaseTime, type Transaction } from '../db/database.ts';
import { runAgain } from '../db/dead-jobs.ts';
import { findOrder, type Order } from '../db/orders.ts';
import { findEvent, reopenEvent } from '../db/payment-events.ts';
import type { Repair } from './compare-with-provider.ts';
import { actionNotPossible } from './errors.ts';
import type { OrderParts } from './parts.ts';
import { ownReport, receiveReportIn } from './receive-report.ts';

/** Puts a comparison's answers into the inbox. Returns the ids of the rows that a worker has to apply. */
export async function repairOrder(trx: Transaction, order: Order, repairs: Repair[]): Promise<string[]> {
  const rows: string[] = [];
  for (const { provider, report } of repairs) {
    const row = await receiveReportIn(trx, order, report, { source: 'operator', provider });
    if (row) rows.push(row);
  }
  return rows;
}

/** Whether an operator may decide: the money received does not fit the order, or did not before an earlier decision. */
export function canBeDecided({ status, facts }: Order): boolean {
  return status === 'review' || facts.decision !== null;
}

/**
 * Puts an operator's decision on a payment under review into the inbox.
 * @throws OrderError if money in another currency would pay for the order: its receipt, refunds and figures have one currency
 */
export async function decideOrder(
  trx: Transaction,
  order: Order,
  status: 'paid' | 'refunded' | 'canceled',
): Promise<string[]> {
  const { captures } = order.facts;
  const isForeign = (id: string) => captures[id]?.currency !== order.currency;
  const payments = Object.keys(captures);
  if (status === 'paid' && payments.some(isForeign)) {
    throw actionNotPossible('Money in another currency cannot pay for the order. Refund it instead.');
  }
  const observedAt = await databaseTime(trx);
  const report = ownReport(order, { kind: 'decision', status, payments, observedAt });
  const row = await receiveReportIn(trx, order, report, { source: 'operator' });
  return row ? [row] : [];
}

/** Has a worker apply an event again. Idempotent. False if retention has removed its payload. */
export async function replayEvent(trx: Transaction, id: string): Promise<boolean> {
  if (!(await reopenEvent(trx, id))) return false;
  await runAgain(trx, { name: 'apply-payment-event', payload: { eventId: id } });
  return true;
}

/** Waits until a worker has applied these inbox rows. Returns the order's status; undefined if that took too long. */
export async function waitUntilApplied(
  { db }: Pick<OrderParts, 'db'>,
  orderId: string,
  rows: string[],
  timeoutMs = 15_000,
): Promise<OrderStatus | undefined> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const events = await Promise.all(rows.map((row) => findEvent(db, row)));
    if (events.every((event) => event?.status !== 'received')) return (await findOrder(db, orderId))?.status;
    if (Date.now() > deadline) return undefined;
    await sleep(200);
  }
}
