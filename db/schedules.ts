import type { Job } from '../core/jobs.ts';
import type { Transaction } from './database.ts';
import { enqueue } from './outbox.ts';

/** Enqueues the job once per period, whoever asks, for the first time after one period. */
export async function enqueueWhenDue(trx: Transaction, job: Job, everyMs: number): Promise<void> {
  const next = trx.raw(`now() + ? * interval '1 millisecond'`, [everyMs]);
  await trx('schedules').insert({ name: job.name, next_at: next }).onConflict('name').ignore();
  const due = await trx('schedules')
    .where({ name: job.name })
    .where('next_at', '<=', trx.fn.now())
    .update({ next_at: next });
  if (due > 0) await enqueue(trx, job);
}
