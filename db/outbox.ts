import { type Job, type JobName, jobs, type QueueName } from '../core/jobs.ts';
import { recordset, runBatch, runPrepared } from './batch-sql.ts';
import { inBatches, perOwner } from './batches.ts';
import { type BundledRow, MAX_BUNDLE, toEntries } from './bundles.ts';
import type { Database, Transaction } from './database.ts';
import { originOf, type QueueEntry, relayAfterCommit } from './unit-of-work.ts';

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
 * A row that was enqueued but is not done within this time is enqueued again. While no run ends, the lease doubles from the
 * fourth delivery on, so that a long queue does not fill with copies of the same rows.
 */
export const LEASE_SECONDS = 10;
const MAX_LEASE_SECONDS = 300;
/** Deliveries of a row whose run has ended: the queue may still hold that run, and drop the next delivery as its duplicate. */
const DELIVERIES_AFTER_RUN = 'least(pushes, 2)';

/** The event, e-mail or order that a job is about. Must match the indexed expression. */
export const SUBJECT = `coalesce(payload->>'eventId', payload->>'emailId', payload->>'orderId')`;

/**
 * Whether a row that is known by its id or subject is open. With `status = 'open'` PostgreSQL would read all open rows along
 * `outbox_due` instead: its statistics, made when nothing waited, say that there are none. A backlog has thousands.
 */
export const IS_OPEN = `outbox.status not in ('done', 'dead')`;

/** Writes `job` into the outbox, in a transaction opened by `transact` (unit-of-work.ts). `delayMs` postpones it. */
export function enqueue(trx: Transaction, job: Job, options?: { delayMs: number }): Promise<void> {
  return enqueueAll(trx, [job], options);
}

/** {@link enqueue} for any number of jobs, in one statement. */
export async function enqueueAll(trx: Transaction, all: Job[], { delayMs } = { delayMs: 0 }): Promise<void> {
  if (all.length === 0) return;
  const { requestId, traceparent } = originOf(trx);
  const rows = all.map(({ name, payload }) => ({
    job: name,
    queue: jobs[name].queue,
    payload: JSON.stringify(payload),
    request_id: requestId,
    traceparent,
    pushes: 0,
    due_at: trx.raw(`now() + ? * interval '1 millisecond'`, [delayMs]),
  }));
  await trx('outbox').insert(rows);
  if (delayMs === 0) for (const { queue } of rows) relayAfterCommit(trx, queue);
}

/** Marks a row done that has no effect in the database. Concurrent calls share a statement. */
export function markDoneWithoutEffect(db: Database, id: string): Promise<void> {
  return finishRows(db)(id);
}

const finishRows = perOwner((db: Database) =>
  inBatches<string, void>(async (ids) => {
    const sql = `update outbox set status = 'done', done_at = now() where id = any(:ids) and ${IS_OPEN}`;
    await runPrepared(db, sql, { ids });
    return ids.map(() => undefined);
  }),
);

/** Marks the row done in the transaction of its effect. False if another run already has. */
export async function markDone(trx: Transaction, id: string): Promise<boolean> {
  const changed = await trx('outbox')
    .where({ id })
    .whereRaw(IS_OPEN)
    .update({ status: 'done', done_at: trx.fn.now() });
  return changed === 1;
}

/** Lets the relay run an open row again after `delayMs`, without counting a failure. */
export function postpone(db: Database, id: string, delayMs: number): Promise<void> {
  return postponeRows(db)({ id, delayMs });
}

const postponeRows = perOwner((db: Database) =>
  inBatches<{ id: string; delayMs: number }, void>(async (rows) => {
    await runBatch(
      db,
      rows,
      `update outbox set
         due_at = now() + "delayMs" * interval '1 millisecond', pushes = ${DELIVERIES_AFTER_RUN}, bundle = null
       from (${recordset('id bigint, "delayMs" float8', rows)}) as wanted
       where outbox.id = wanted.id and ${IS_OPEN}`,
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
    .where({ id })
    .whereRaw(IS_OPEN)
    .update({
      attempts: db.raw('attempts + 1'),
      first_failed_at: db.raw('coalesce(first_failed_at, now())'),
      pushes: db.raw(DELIVERIES_AFTER_RUN),
      // The others of its bundle may still be running.
      bundle: null,
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
  addToQueue: (entries: QueueEntry[]) => Promise<void>,
): Promise<number> {
  return db.transaction(async (trx) => {
    const rows = await claimDueRows(trx, queues, limit);
    if (rows.length > 0) await addToQueue(toEntries(rows));
    return rows.length;
  });
}

/** Claims up to `limit` due rows of these queues for the time of their lease. New e-mails are bundled. */
export async function claimDueRows(db: Database, queues: QueueName[], limit: number): Promise<BundledRow[]> {
  return runPrepared<BundledRow>(
    db,
    `with due as (
       select id, pushes, queue from outbox where status = 'open' and due_at <= now() and queue = any(:queues)
       order by due_at limit :limit for update skip locked),
     mail as (
       select id, (row_number() over (order by id) - 1) / :size as part from due
       where queue = 'emails' and pushes = 0),
     bundle as materialized (
       select part, gen_random_uuid() as uuid from mail group by part having count(*) > 1)
     update outbox set
       pushes = outbox.pushes + 1,
       due_at = now() + least(:longest, :lease * power(2, greatest(outbox.pushes - 2, 0))) * interval '1 second',
       bundle = coalesce(bundle.uuid, outbox.bundle)
     from due left join mail using (id) left join bundle using (part)
     where outbox.id = due.id
     returning outbox.id, outbox.queue, job, outbox.pushes as delivery, outbox.bundle`,
    { longest: MAX_LEASE_SECONDS, lease: LEASE_SECONDS, size: MAX_BUNDLE, limit, queues },
  );
}
