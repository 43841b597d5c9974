import type { Job } from '../core/jobs.ts';
import type { Transaction } from './database.ts';
import { enqueue } from './outbox.ts';

/**
 * Enqueues the job once per period, however many workers ask; first after one period. Jobs of one name with different
 * payloads need schedules of their own. The row's lock makes each turn the work of one worker.
 */
export async function enqueueWhenDue(
  trx: Transaction,
  job: Job,
  everyMs: number,
  schedule: string = job.name,
): Promise<void> {
  const next = trx.raw(`now() + ? * interval '1 millisecond'`, [everyMs]);
  await trx('schedules').insert({ name: schedule, next_at: next }).onConflict('name').ignore();
  const due = await trx('schedules')
    .where({ name: schedule })
    .where('next_at', '<=', trx.fn.now())
    .update({ next_at: next });
  if (due > 0) await enqueue(trx, job);
}
