import type { Job, JobName } from '../core/jobs.ts';
import type { Database, Transaction } from './database.ts';
import { enqueue } from './outbox.ts';

/** A job that was given up: it waits for an operator. */
export interface DeadJob {
  id: string;
  job: JobName;
  payload: Record<string, string>;
  attempts: number;
  lastError: string | null;
  requestId: string | null;
  createdAt: Date;
}

/** The jobs that were given up, newest first. */
export async function listDeadJobs(db: Database, limit: number): Promise<DeadJob[]> {
  return db('outbox')
    .select('id', 'job', 'payload', 'attempts', {
      lastError: 'last_error',
      requestId: 'request_id',
      createdAt: 'created_at',
    })
    .where({ status: 'dead' })
    .orderBy('id', 'desc')
    .limit(limit);
}

/**
 * Opens dead jobs again as if they had just been written: they get all their attempts, and the relay pushes them. The
 * event of a payment job that was buried with it is opened too. Returns the ids of those that were dead.
 */
export async function reviveJobs(trx: Transaction, ids: string[]): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `with revived as (
       update outbox set status = 'open', attempts = 0, created_at = now(), due_at = now()
       where status = 'dead' and id = any(?::bigint[])
       returning id, job, payload),
     events as (
       update payment_events set status = 'received', note = null where status = 'dead' and id in (
         select (payload->>'eventId')::bigint from revived where job = 'apply-payment-event'))
     select id from revived order by id`,
    [ids],
  );
  return rows.map(({ id }) => id);
}

/** Runs a job again, whatever became of it: opens its dead row, makes its open row due, or writes a new one. */
export async function runAgain(trx: Transaction, job: Job): Promise<void> {
  const rows = await trx('outbox')
    .select('id', 'status')
    .where({ job: job.name })
    .whereIn('status', ['open', 'dead'])
    .whereRaw('payload = ?::jsonb', [JSON.stringify(job.payload)]);
  if (rows.length === 0) return enqueue(trx, job);
  const ids = rows.map(({ id }) => id);
  await reviveJobs(trx, ids);
  await makeDue(trx, ids);
}

/** Lets the relay push these open jobs the next time it looks. */
export async function makeDue(db: Database, ids: string[]): Promise<void> {
  await db('outbox').whereIn('id', ids).where({ status: 'open' }).update({ due_at: db.fn.now() });
}
