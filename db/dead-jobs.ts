import { type Job, type JobName, jobNames, jobs } from '../core/jobs.ts';
import type { Database, Transaction } from './database.ts';
import { enqueue, IS_OPEN, SUBJECT } from './outbox.ts';
import { relayAfterCommit } from './unit-of-work.ts';

export interface DeadJob {
  id: string;
  job: JobName;
  payload: Record<string, unknown>;
  attempts: number;
  lastError: string | null;
  requestId: string | null;
  createdAt: Date;
  orderId: string | null;
}

/** Qualified, because events have a payload too. */
const ORDER = `coalesce(outbox.payload->>'orderId',
  (select order_id::text from payment_events where id = (outbox.payload->>'eventId')::bigint),
  (select order_id::text from emails where id = (outbox.payload->>'emailId')::bigint))`;

export async function listDeadJobs(
  db: Database,
  limit: number,
  names: readonly JobName[] = jobNames,
): Promise<DeadJob[]> {
  return db('outbox')
    .select('id', 'job', 'payload', 'attempts', {
      lastError: 'last_error',
      requestId: 'request_id',
      createdAt: 'created_at',
      orderId: db.raw(ORDER),
    })
    .where({ status: 'dead' })
    .whereIn('job', names)
    .orderBy('id', 'desc')
    .limit(limit);
}

export async function listDeadJobIds(db: Database): Promise<string[]> {
  return db('outbox').where({ status: 'dead' }).orderBy('id').pluck('id');
}

export async function findOrderOfJob(db: Database, id: string): Promise<string | undefined> {
  const row = await db('outbox')
    .select({ orderId: db.raw(ORDER) })
    .where({ id })
    .first<{ orderId: string | null } | undefined>();
  return row?.orderId ?? undefined;
}

/** Reopens dead jobs with their events, with all attempts. A refund counts its retries. Returns the ids that were dead. */
export async function retryDeadJobs(trx: Transaction, ids: string[]): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `with revived as (
       update outbox set status = 'open', attempts = 0, first_failed_at = null, created_at = now(), due_at = now(),
         payload = payload || case job when 'refund-payment'
           then jsonb_build_object('retries', coalesce((payload->>'retries')::int, 0) + 1) else '{}' end
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

/** Dead and failing jobs about events whose order is not known, by what their failure says. Oldest first. */
export async function listJobsWithoutOrder(
  db: Database,
  failure: string,
): Promise<{ id: string; lastError: string; isDead: boolean }[]> {
  const { rows } = await db.raw<{ rows: { id: string; lastError: string; isDead: boolean }[] }>(
    `with waiting as (
       select id, job, last_error, false as is_dead from outbox where status = 'open'
       union all
       select id, job, last_error, true from outbox where status = 'dead')
     select id, last_error as "lastError", is_dead as "isDead" from waiting
     where job = 'apply-payment-event' and strpos(last_error, ?) > 0 order by id`,
    [failure],
  );
  return rows;
}

/**
 * Ends dead jobs, and failing ones about payment events, that are not to run again, and with them the event or e-mail that
 * they were about; the reason is stored with each. Returns their ids.
 */
export async function discardJobs(trx: Transaction, ids: string[], why: string): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `with discarded as (
       update outbox set status = 'done', done_at = now(), last_error = :reason
       where (status = 'dead' or status = 'open' and attempts > 0 and job = 'apply-payment-event')
         and id = any(:ids::bigint[])
       returning id, job, payload),
     events as (
       update payment_events set status = 'ignored', note = :reason, processed_at = now()
       where status in ('dead', 'received') and id in (
         select (payload->>'eventId')::bigint from discarded where job = 'apply-payment-event')),
     mails as (
       update emails set status = 'dropped', last_error = :reason where status <> 'sent' and id in (
         select (payload->>'emailId')::bigint from discarded where job = 'send-email'))
     select id from discarded order by id`,
    { ids, reason: `discarded: ${why}` },
  );
  return rows.map(({ id }) => id);
}

type JobOfObject = Extract<Job, { name: 'apply-payment-event' | 'send-email' }>;

function subjectOf(job: JobOfObject): string {
  return job.name === 'send-email' ? job.payload.emailId : job.payload.eventId;
}

/**
 * Runs a job about an object again: reopens its dead row, or enqueues a new one. An open row is left alone: the run that is
 * about to end it may have looked at the object already.
 */
export async function runAgain(trx: Transaction, job: JobOfObject): Promise<void> {
  const rows = await trx('outbox')
    .select('id')
    .where({ job: job.name, status: 'dead' })
    .whereRaw(`${SUBJECT} = ?`, [subjectOf(job)]);
  if (rows.length === 0) return enqueue(trx, job);
  const ids = rows.map(({ id }) => id);
  await retryDeadJobs(trx, ids);
  await makeDue(trx, ids);
  relayAfterCommit(trx, jobs[job.name].queue);
}

export async function makeDue(db: Database, ids: string[]): Promise<void> {
  await db('outbox').whereIn('id', ids).whereRaw(IS_OPEN).update({ due_at: db.fn.now() });
}
