import type { Money } from '../core/money.ts';
import { isDebitReturned, moneyTaken } from '../core/order-money.ts';
import type { MoneyTaken, OrderStatus, PaymentMethod } from '../core/orders.ts';
import type { PaymentFacts } from '../core/payment-facts.ts';
import { methodOf, type OrderMethod } from '../core/payment-method.ts';
import { selectBatch } from './batch-sql.ts';
import { type BatchLimits, inBatches, perOwner } from './batches.ts';
import type { Database } from './database.ts';

/** The part of an order that its buyer watches. Survives JSON, as a notification may carry it. */
export interface WatchedStatus extends OrderMethod {
  id: string;
  /** Of the order: whichever of two statuses has the higher one is newer. */
  version: number;
  status: OrderStatus;
  amountRefunded: number;
  moneyTaken: MoneyTaken;
  debitReturned: boolean;
  failureReason: string | null;
  /** ISO 8601. */
  paidAt: string | null;
}

export function readOrderStatus(db: Database, id: string): Promise<WatchedStatus | undefined> {
  return readers(db)(id);
}

type Derived = 'moneyTaken' | 'debitReturned' | 'methodType';
type Row = Omit<WatchedStatus, Derived | 'paidAt'> &
  Money & {
    paymentMethod: PaymentMethod;
    paymentIntentId: string | null;
    facts: PaymentFacts;
    paidAt: Date | null;
  };

/** `paidAt` comes last, as in a notice (order-notices.ts): statuses are compared as JSON. */
export function toWatchedStatus(row: Row): WatchedStatus {
  const { id, version, status, amountRefunded, failureReason, paidAt, facts } = row;
  return {
    id,
    version,
    status,
    amountRefunded,
    failureReason,
    moneyTaken: moneyTaken(facts),
    debitReturned: isDebitReturned(row, facts),
    ...methodOf(row, facts),
    paidAt: paidAt?.toISOString() ?? null,
  };
}

/** Whether an order's page shows the two differently, apart from the time of payment. */
export function looksDifferent(before: Row, after: Row): boolean {
  const shown = (row: Row) => JSON.stringify({ ...toWatchedStatus(row), version: 0, paidAt: null });
  return shown(before) !== shown(after);
}

const readers = perOwner((db: Database) =>
  inBatches<string, WatchedStatus | undefined>(async (ids) => {
    const rows = await selectBatch<Row>(
      db,
      ids,
      (isOneOf) => `select id, version, status, amount, currency, amount_refunded as "amountRefunded",
        payment_method as "paymentMethod", payment_intent_id as "paymentIntentId", payment_facts as facts,
        failure_reason as "failureReason", paid_at as "paidAt"
      from orders where id ${isOneOf}`,
    );
    const byId = new Map(rows.map((row) => [row.id, toWatchedStatus(row)]));
    return ids.map((id) => byId.get(id));
  }, limits),
);

/** For the sweep, which reads every watched order at once; no client waits for it. */
const limits: BatchLimits = { maxWaiting: 20_000, deadlineMs: 30_000 };
