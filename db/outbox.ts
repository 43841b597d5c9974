import type { Job, JobName, QueueName } from '../core/jobs.ts';
import { jobs, ORDER_CHANGED } from '../core/jobs.ts';
import type { Move } from '../core/order-lifecycle.ts';
import { inBatches, perDatabase } from './batches.ts';
import type { Database, Transaction } from './database.ts';
import { currentTraceparent } from './traceparent.ts';

/** One delivery of an outbox row to the queue. */
export interface QueueEntry {
  id: string;
  queue: QueueName;
  job: JobName;
  /** Since the last run ended. */
  delivery: number;
}

export interface OutboxRow {
  id: string;
  job: JobName;
  payload: unknown;
  requestId: string | null;
  traceparent: string | null;
  attempts: number;
  /** Time since the first failure, ms. */
  failingForMs: number;
}

/**
 * A row enqueued but not done within this time is enqueued again. While no run ends, the lease doubles from the third
 * delivery on: a long queue is not filled with the same rows over and over.
 */
export const LEASE_SECONDS = 10;
const MAX_LEASE_SECONDS = 300;
/** Deliveries of a row whose run has ended: the queue may still hold that run, and drop the next delivery as its duplicate. */
const DELIVERIES_AFTER_RUN = 'least(pushes, 2)';

/** The event, e-mail or order that a job is about. Written as in the index on it. */
export const SUBJECT = `coalesce(payload->>'eventId', payload->>'emailId', payload->>'orderId')`;

/** What a job is written for; its run goes on with it. */
export interface Origin {
  requestId: string | null;
  traceparent: string | null;
}

/** A status change of an order, and its cause. */
export interface OrderMove extends Move, Origin {
  orderId: string;
  by: string;
}

/** What to publish once the transaction has committed. */
export interface AfterCommit {
  enqueued: QueueEntry[];
  changedOrders: string[];
  moves: OrderMove[];
}

interface UnitOfWork extends AfterCommit, Origin {}

const unitsOfWork = new WeakMap<Transaction, UnitOfWork>();

/**
 * Runs `work` in one transaction and returns its after-commit work. Retries deadlocks and serialization failures three
 * times.
 */
export async function transact<T>(
  db: Database,
  requestId: string | null,
  work: (trx: Transaction) => Promise<T>,
): Promise<{ result: T } & AfterCommit> {
  for (let attempt = 1; ; attempt++) {
    const origin = { requestId, traceparent: currentTraceparent() };
    const unit: UnitOfWork = { ...origin, enqueued: [], changedOrders: [], moves: [] };
    try {
      const result = await db.transaction((trx) => {
        unitsOfWork.set(trx, unit);
        return work(trx);
      });
      return { result, enqueued: unit.enqueued, changedOrders: unit.changedOrders, moves: unit.moves };
    } catch (error) {
      if (attempt > 3 || !isConflict(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 50 * attempt));
    }
  }
}

function isConflict(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return code === '40001' || code === '40P01';
}

/** Writes `job` into the outbox in the caller's transaction, which {@link transact} opened. `delayMs` postpones it. */
export async function enqueue(
  trx: Transaction,
  job: Job,
  { delayMs = 0, ...origin }: { delayMs?: number } & Partial<Origin> = {},
): Promise<void> {
  const unit = unitOf(trx);
  const { queue } = jobs[job.name];
  const [row] = await trx('outbox')
    .insert({
      job: job.name,
      queue,
      payload: JSON.stringify(job.payload),
      request_id: origin.requestId ?? unit.requestId,
      traceparent: origin.traceparent ?? unit.traceparent,
      pushes: delayMs > 0 ? 0 : 1,
      due_at: trx.raw(`now() + ? * interval '1 millisecond'`, [delayMs > 0 ? delayMs : LEASE_SECONDS * 1000]),
    })
    .returning<{ id: string }[]>('id');
  if (row && delayMs === 0) unit.enqueued.push({ id: row.id, queue, job: job.name, delivery: 1 });
}

/** Enqueues rows that the caller's own statement inserted, once the transaction has committed. */
export function enqueueAfterCommit(trx: Transaction, rows: QueueEntry[]): void {
  unitOf(trx).enqueued.push(...rows);
}

export function addAfterCommit(trx: Transaction, { enqueued, changedOrders, moves }: AfterCommit): void {
  const unit = unitOf(trx);
  unit.enqueued.push(...enqueued);
  unit.changedOrders.push(...changedOrders);
  unit.moves.push(...moves);
}

/**
 * Notifies every web process that these orders changed. A separate statement, because PostgreSQL serializes the commits
 * of notifying transactions, disk flush included: a NOTIFY in the settling transaction would limit settlements to one
 * per flush. Asynchronous commit for the same reason; the stream's heartbeat makes up for a lost notification.
 */
export async function announceOrders(db: Database, orderIds: string[]): Promise<void> {
  await db.raw(
    `select set_config('synchronous_commit', 'off', true), pg_notify(?, id) from unnest(?::text[]) as id`,
    [ORDER_CHANGED, orderIds],
  );
}

/** Has an order's streams notified of a change that is not a move. */
export function announceAfterCommit(trx: Transaction, orderId: string): void {
  unitOf(trx).changedOrders.push(orderId);
}

export function requestIdOf(trx: Transaction): string | null {
  return unitOf(trx).requestId;
}

export function originOf(trx: Transaction): Origin {
  return unitOf(trx);
}

function unitOf(trx: Transaction): UnitOfWork {
  const unit = unitsOfWork.get(trx);
  if (!unit) throw new Error('enqueue needs a transaction opened by transact');
  return unit;
}

export function findOpenRow(db: Database, id: string): Promise<OutboxRow | undefined> {
  return findOpenRows(db)(id);
}

const findOpenRows = perDatabase((db) =>
  inBatches<string, OutboxRow | undefined>(async (ids) => {
    const rows: OutboxRow[] = await db('outbox')
      .select('id', 'job', 'payload', 'attempts', 'traceparent', {
        requestId: 'request_id',
        failingForMs: db.raw(
          'coalesce(extract(epoch from clock_timestamp() - first_failed_at) * 1000, 0)::float8',
        ),
      })
      .where({ status: 'open' })
      .whereRaw('id = any(?)', [ids]);
    return ids.map((id) => rows.find((row) => row.id === id));
  }),
);

/** Marks a row done that has no effect in the database. Concurrent calls share a statement. */
export function markDoneAlone(db: Database, id: string): Promise<void> {
  return finishRows(db)(id);
}

const finishRows = perDatabase((db) =>
  inBatches<string, void>(async (ids) => {
    await db.raw(`update outbox set status = 'done', done_at = now() where id = any(?) and status = 'open'`, [
      ids,
    ]);
    return ids.map(() => undefined);
  }),
);

/** Marks the row done in the transaction of its effect. False if another run already has. */
export async function markDone(trx: Transaction, id: string): Promise<boolean> {
  const changed = await trx('outbox')
    .where({ id, status: 'open' })
    .update({ status: 'done', done_at: trx.fn.now() });
  return changed === 1;
}

/** Lets the relay run an open row again after `delayMs`, without counting a failure. */
export function postpone(db: Database, id: string, delayMs: number): Promise<void> {
  return postponeRows(db)({ id, delayMs });
}

const postponeRows = perDatabase((db) =>
  inBatches<{ id: string; delayMs: number }, void>(async (rows) => {
    await db.raw(
      `update outbox set
         due_at = now() + "delayMs" * interval '1 millisecond', pushes = ${DELIVERIES_AFTER_RUN}
       from json_to_recordset(?) as wanted(id bigint, "delayMs" float8)
       where outbox.id = wanted.id and status = 'open'`,
      [JSON.stringify(rows)],
    );
    return rows.map(() => undefined);
  }),
);

/** Records a failed run. The relay enqueues the row again after `retryInMs`; null makes it a dead letter. */
export async function recordFailure(
  db: Database,
  id: string,
  failure: { error: string; retryInMs: number | null },
): Promise<void> {
  await db('outbox')
    .where({ id, status: 'open' })
    .update({
      attempts: db.raw('attempts + 1'),
      first_failed_at: db.raw('coalesce(first_failed_at, now())'),
      pushes: db.raw(DELIVERIES_AFTER_RUN),
      last_error: failure.error,
      ...(failure.retryInMs === null
        ? { status: 'dead' }
        : { due_at: db.raw(`now() + ? * interval '1 millisecond'`, [failure.retryInMs]) }),
    });
}

/**
 * Claims up to `limit` due rows of these queues and passes them to `addToQueue` before the claim commits, so they stay
 * due if it throws. `SKIP LOCKED` lets all workers relay concurrently.
 */
export async function relayDueRows(
  db: Database,
  queues: QueueName[],
  limit: number,
  addToQueue: (rows: QueueEntry[]) => Promise<void>,
): Promise<number> {
  return db.transaction(async (trx) => {
    const rows = await claimDueRows(trx, queues, limit);
    if (rows.length > 0) await addToQueue(rows);
    return rows.length;
  });
}

/** Claims up to `limit` due rows of these queues for the time of their lease. */
export async function claimDueRows(db: Database, queues: QueueName[], limit: number): Promise<QueueEntry[]> {
  const { rows } = await db.raw<{ rows: QueueEntry[] }>(
    `update outbox set
       pushes = pushes + 1,
       due_at = now() + least(:longest, :lease * power(2, greatest(pushes - 2, 0))) * interval '1 second'
     where id in (
       select id from outbox where status = 'open' and due_at <= now() and queue = any(:queues)
       order by due_at limit :limit for update skip locked)
     returning id, queue, job, pushes as delivery`,
    { longest: MAX_LEASE_SECONDS, lease: LEASE_SECONDS, limit, queues },
  );
  return rows;
}
