import type { Job } from '../core/jobs.ts';
import type { Transaction } from './database.ts';
import { enqueueAll } from './outbox.ts';

/** Whether it is the caller's turn. One caller per period gets it, the first one immediately. */
export async function takeTurn(trx: Transaction, schedule: string, everyMs: number): Promise<boolean> {
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    `insert into schedules (name, next_at) values (:schedule, now() + :everyMs * interval '1 millisecond')
     on conflict (name) do update set next_at = excluded.next_at where schedules.next_at <= now()`,
    { schedule, everyMs },
  );
  return rowCount > 0;
}

export interface ScheduledJob {
  job: Job;
  everyMs: number;
  /** By default the job's name. Different payloads need separate schedules. */
  schedule?: string;
}

/** Enqueues each job once per period for all workers, the first time after a period. */
export async function enqueueWhenDue(trx: Transaction, scheduled: readonly ScheduledJob[]): Promise<void> {
  const jobs = new Map(scheduled.map(({ schedule, job }) => [schedule ?? job.name, job]));
  const schedules = scheduled.map(({ schedule, job, everyMs }) => ({ name: schedule ?? job.name, everyMs }));
  const { rows } = await trx.raw<{ rows: { name: string }[] }>(
    `with scheduled as (
       select name, "everyMs" * interval '1 millisecond' as every
       from json_to_recordset(:schedules) as schedule(name text, "everyMs" float8)
     ), added as (
       insert into schedules (name, next_at) select name, now() + every from scheduled on conflict (name) do nothing
     ), due as (
       select name, every from schedules join scheduled using (name) where next_at <= now()
       for update of schedules skip locked
     )
     update schedules set next_at = now() + every from due where schedules.name = due.name
     returning schedules.name`,
    { schedules: JSON.stringify(schedules) },
  );
  await enqueueAll(
    trx,
    rows.flatMap(({ name }) => jobs.get(name) ?? []),
  );
}
