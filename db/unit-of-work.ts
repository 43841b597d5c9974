import { setTimeout as sleep } from 'node:timers/promises';
import type { JobName, QueueName } from '../core/jobs.ts';
import type { Move } from '../core/order-state.ts';
import type { Database, Transaction } from './database.ts';
import { skipTakenIds } from './outbox-ids.ts';
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
  moves: OrderMove[];
}

type UnitOfWork = Pick<AfterCommit, 'due'> & Origin;

const unitsOfWork = new WeakMap<Transaction, UnitOfWork>();

/** What a transaction or a single statement did, and what is to follow. */
export type Committed<T> = { result: T } & AfterCommit;

/** Runs `work` in a transaction and returns its after-commit work. Retries conflicts three times. */
export function transact<T>(
  db: Database,
  requestId: string | null,
  work: (trx: Transaction) => Promise<T>,
): Promise<Committed<T>> {
  return retryConflicts(db, async () => {
    const origin = { requestId, traceparent: currentTraceparent() };
    const unit: UnitOfWork = { ...origin, due: [] };
    const result = await db.transaction((trx) => {
      unitsOfWork.set(trx, unit);
      return work(trx);
    });
    return { result, due: unit.due, moves: [] };
  });
}

/** Repeats what failed by a conflict with another transaction, or by an outbox id that is taken, three times. */
export async function retryConflicts<T>(db: Database, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt > 3 || !(isConflict(error) || (await skipTakenIds(db, error)))) throw error;
      await sleep(Math.random() * 50 * attempt);
    }
  }
}

function isConflict(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return code === '40001' || code === '40P01';
}

/** Lets the rows that the transaction wrote for this queue be relayed as soon as it has committed. */
export function relayAfterCommit(trx: Transaction, queue: QueueName): void {
  unitOf(trx).due.push(queue);
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
