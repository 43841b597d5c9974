import type { Job, JobName, QueueName } from '../core/jobs.ts';
import { jobs, ORDER_CHANGED } from '../core/jobs.ts';
import type { Move } from '../core/order-lifecycle.ts';
import { inBatches, perDatabase } from './batches.ts';
import type { Database, Transaction } from './database.ts';

/** A row that is to be pushed: BullMQ's job id is `<id>-<push>`, new with every push (design §5). */
export interface Push {
  id: string;
  queue: QueueName;
  job: JobName;
  push: number;
}

export interface OutboxRow {
  id: string;
  job: JobName;
  payload: unknown;
  attempts: number;
  pushes: number;
  requestId: string | null;
  createdAt: Date;
}

/** A row pushed but not done within this time is pushed again; the wait doubles after the third push. */
export const LEASE_SECONDS = 10;
const LONGEST_LEASE_SECONDS = 300;

/** A move of an order and who made it. */
export interface OrderMove extends Move {
  orderId: string;
  by: string;
}

/** What a committed transaction leaves to be told. */
export interface Aftermath {
  enqueued: Push[];
  changedOrders: string[];
  moves: OrderMove[];
}

interface UnitOfWork extends Aftermath {
  requestId: string | null;
}

const unitsOfWork = new WeakMap<Transaction, UnitOfWork>();

/**
 * Runs `work` in one transaction; jobs enqueued in it are returned for pushing once it has committed.
 * A deadlock or serialization failure is tried again, up to three times (reliability.md F16).
 */
export async function transact<T>(
  db: Database,
  requestId: string | null,
  work: (trx: Transaction) => Promise<T>,
): Promise<{ result: T } & Aftermath> {
  for (let attempt = 1; ; attempt++) {
    const unit: UnitOfWork = { requestId, enqueued: [], changedOrders: [], moves: [] };
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
export async function enqueue(trx: Transaction, job: Job, delayMs = 0): Promise<void> {
  const unit = unitOf(trx);
  const { queue } = jobs[job.name];
  const [row] = await trx('outbox')
    .insert({
      job: job.name,
      queue,
      payload: JSON.stringify(job.payload),
      request_id: unit.requestId,
      pushes: delayMs > 0 ? 0 : 1,
      due_at: trx.raw(`now() + ? * interval '1 millisecond'`, [delayMs > 0 ? delayMs : LEASE_SECONDS * 1000]),
    })
    .returning<{ id: string }[]>('id');
  if (row && delayMs === 0) unit.enqueued.push({ id: row.id, queue, job: job.name, push: 1 });
}

/** Adds rows that a statement of the caller's wrote itself to what is pushed after the commit. */
export function pushAfterCommit(trx: Transaction, rows: Push[]): void {
  unitOf(trx).enqueued.push(...rows);
}

/** Adds what a change leaves to be told to what is told once the transaction has committed. */
export function joinAftermath(trx: Transaction, { enqueued, changedOrders, moves }: Aftermath): void {
  const unit = unitOf(trx);
  unit.enqueued.push(...enqueued);
  unit.changedOrders.push(...changedOrders);
  unit.moves.push(...moves);
}

/**
 * Tells every web process that these orders changed. In a statement of its own: PostgreSQL commits transactions that
 * notify one after the other, disk flush included, so a NOTIFY inside the settling transaction would let one worker
 * settle no faster than one flush after another. Nor does this one wait for the disk: a notice lost in a crash is made
 * up by the stream's heartbeat.
 */
export async function announceOrders(db: Database, orderIds: string[]): Promise<void> {
  await db.raw(
    `select set_config('synchronous_commit', 'off', true), pg_notify(?, id) from unnest(?::text[]) as id`,
    [ORDER_CHANGED, orderIds],
  );
}

/** The request that this transaction works for. */
export function requestIdOf(trx: Transaction): string | null {
  return unitOf(trx).requestId;
}

function unitOf(trx: Transaction): UnitOfWork {
  const unit = unitsOfWork.get(trx);
  if (!unit) throw new Error('Jobs need a transaction opened by transact: they are pushed after its commit');
  return unit;
}

/** The row, if its work is still open. */
export function findOpenRow(db: Database, id: string): Promise<OutboxRow | undefined> {
  return findOpenRows(db)(id);
}

const findOpenRows = perDatabase((db) =>
  inBatches<string, OutboxRow | undefined>(async (ids) => {
    const rows: OutboxRow[] = await db('outbox')
      .select('id', 'job', 'payload', 'attempts', 'pushes', {
        requestId: 'request_id',
        createdAt: 'created_at',
      })
      .where({ status: 'open' })
      .whereRaw('id = any(?)', [ids]);
    return ids.map((id) => rows.find((row) => row.id === id));
  }),
);

/** Marks the row done in the transaction of its effect. False if another run was first: then there is nothing to do. */
export async function markDone(trx: Transaction, id: string): Promise<boolean> {
  const changed = await trx('outbox')
    .where({ id, status: 'open' })
    .update({ status: 'done', done_at: trx.fn.now() });
  return changed === 1;
}

/** Records a failed run. The relay pushes the row again after `retryInMs`; null buries it as a dead letter. */
export async function recordFailure(
  db: Database,
  id: string,
  failure: { error: string; retryInMs: number | null },
): Promise<void> {
  await db('outbox')
    .where({ id, status: 'open' })
    .update({
      attempts: db.raw('attempts + 1'),
      last_error: failure.error,
      ...(failure.retryInMs === null
        ? { status: 'dead' }
        : { due_at: db.raw(`now() + ? * interval '1 millisecond'`, [failure.retryInMs]) }),
    });
}

/**
 * Claims up to `limit` rows that are due, and hands them to `push` before the claim commits: if the queue does not
 * take them they stay due. `SKIP LOCKED` lets every worker relay at once.
 */
export async function relayDueRows(
  db: Database,
  limit: number,
  push: (rows: Push[]) => Promise<void>,
): Promise<number> {
  return db.transaction(async (trx) => {
    const { rows } = await trx.raw<{ rows: Push[] }>(
      `update outbox set
         pushes = pushes + 1,
         due_at = now() + least(:longest, :lease * power(2, greatest(pushes - 2, 0))) * interval '1 second'
       where id in (
         select id from outbox where status = 'open' and due_at <= now()
         order by due_at limit :limit for update skip locked)
       returning id, queue, job, pushes as push`,
      { longest: LONGEST_LEASE_SECONDS, lease: LEASE_SECONDS, limit },
    );
    if (rows.length > 0) await push(rows);
    return rows.length;
  });
}
