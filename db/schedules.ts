import type { Job } from '../core/jobs.ts';
import type { Transaction } from './database.ts';
import { enqueue } from './outbox.ts';

/** Whether it is the caller's turn. One caller per period gets it, the first one immediately. */
export async function takeTurn(trx: Transaction, schedule: string, everyMs: number): Promise<boolean> {
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    `insert into schedules (name, next_at) values (:schedule, now() + :everyMs * interval '1 millisecond')
     on conflict (name) do update set next_at = excluded.next_at where schedules.next_at <= now()`,
    { schedule, everyMs },
  );
  return rowCount > 0;
}

/** Enqueues the job once per period for all workers. Different payloads need separate schedules. */
export async function enqueueWhenDue(
  trx: Transaction,
  job: Job,
  everyMs: number,
  schedule: string = job.name,
): Promise<void> {
  const next = trx.raw(`now() + ? * interval '1 millisecond'`, [everyMs]);
  await trx('schedules').insert({ name: schedule, next_at: next }).onConflict('name').ignore();
  if (await takeTurn(trx, schedule, everyMs)) await enqueue(trx, job);
}
