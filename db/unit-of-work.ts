import { setTimeout as sleep } from 'node:timers/promises';
import type { JobName, QueueName } from '../core/jobs.ts';
import { ORDER_CHANGED } from '../core/jobs.ts';
import type { Move } from '../core/order-state.ts';
import { recordset, runBatch } from './batch-sql.ts';
import type { Database, Transaction } from './database.ts';
import type { WatchedStatus } from './order-status.ts';
import { currentTraceparent } from './traceparent.ts';

/** A job for the queue: it delivers these outbox rows (see bundles.ts). */
export interface QueueEntry {
  ids: string[];
  queue: QueueName;
  job: JobName;
  /** Since the last run ended. */
  delivery: number;
  bundle: string | null;
}

/** The request and trace that a job was enqueued in; its run continues both. */
export interface Origin {
  requestId: string | null;
  traceparent: string | null;
}

interface OrderMove extends Move, Origin {
  orderId: string;
  by: string;
}

export interface AfterCommit {
  /** Queues for which rows were written that are due at once. */
  due: QueueName[];
  changedOrders: ChangedOrder[];
  moves: OrderMove[];
}

/** Its id, or all that its buyer watches, which saves every web process a read. */
export type ChangedOrder = string | WatchedStatus;

interface UnitOfWork extends AfterCommit, Origin {}

const unitsOfWork = new WeakMap<Transaction, UnitOfWork>();

/** What a transaction or a single statement did, and what is to follow. */
export type Committed<T> = { result: T } & AfterCommit;

/** Runs `work` in a transaction and returns its after-commit work. Retries conflicts three times. */
export function transact<T>(
  db: Database,
  requestId: string | null,
  work: (trx: Transaction) => Promise<T>,
): Promise<Committed<T>> {
  return retryConflicts(async () => {
    const origin = { requestId, traceparent: currentTraceparent() };
    const unit: UnitOfWork = { ...origin, due: [], changedOrders: [], moves: [] };
    const result = await db.transaction((trx) => {
      unitsOfWork.set(trx, unit);
      return work(trx);
    });
    return { result, due: unit.due, changedOrders: unit.changedOrders, moves: unit.moves };
  });
}

/** Repeats what failed by a conflict with another transaction, three times. */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt > 3 || !isConflict(error)) throw error;
      await sleep(Math.random() * 50 * attempt);
    }
  }
}

function isConflict(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return code === '40001' || code === '40P01';
}

/** Adds after-commit work to the current transaction. */
export function addAfterCommit(
  trx: Transaction,
  { due = [], changedOrders = [], moves = [] }: Partial<AfterCommit>,
): void {
  const unit = unitOf(trx);
  unit.due.push(...due);
  unit.changedOrders.push(...changedOrders);
  unit.moves.push(...moves);
}

/**
 * Notifies every web process that these orders changed. A separate statement, because PostgreSQL serializes the commits
 * of notifying transactions, disk flush included: a NOTIFY in the settling transaction would limit settlements to one
 * per flush. Asynchronous commit for the same reason; the sweep of api/order-feed.ts makes up for a lost notification.
 */
export async function announceOrders(db: Database, orders: ChangedOrder[]): Promise<void> {
  const changed = orders.map((order) => ({ notice: toNotice(order) }));
  await runBatch(
    db,
    changed,
    `select set_config('synchronous_commit', 'off', true), pg_notify(:channel, notice)
     from (${recordset('notice text', changed)}) as changed`,
    { channel: ORDER_CHANGED },
  );
}

/** PostgreSQL refuses a payload of 8,000 bytes. */
const MAX_NOTICE_BYTES = 7_999;

function toNotice(order: ChangedOrder): string {
  if (typeof order === 'string') return order;
  const notice = JSON.stringify(order);
  return Buffer.byteLength(notice) <= MAX_NOTICE_BYTES ? notice : order.id;
}

export function requestIdOf(trx: Transaction): string | null {
  return unitOf(trx).requestId;
}

export function originOf(trx: Transaction): Origin {
  return unitOf(trx);
}

function unitOf(trx: Transaction): UnitOfWork {
  const unit = unitsOfWork.get(trx);
  if (!unit) throw new Error('the transaction was not opened by transact');
  return unit;
}
