import { randomUUID } from 'node:crypto';
import { inBatches } from '../db/batches.ts';
import type { QueueBackend, QueuedJob } from '../infra/queue.ts';
import { waitFor } from '../testing/wait-for.ts';

interface Work {
  /** The work of each job. */
  commit?: () => Promise<unknown>;
  /** How many jobs each job adds to another queue, batched as in the product; a settlement adds two mails. */
  followUps?: number;
}

/** Returns the no-op jobs per second of one worker on this backend, with the product's concurrency of 16. */
export async function noOpJobsPerSecond(
  backend: QueueBackend,
  jobs: number,
  { commit, followUps = 0 }: Work = {},
): Promise<number> {
  const queue = await waitFor('the queue', async () => backend.openQueue('payments'));
  const others = backend.openQueue('emails');
  await Promise.all([queue.waitUntilReady(), others.waitUntilReady()]);
  const add = inBatches(async (jobs: unknown[]) => {
    await others.addBulk(noOps(jobs.length * followUps));
    return jobs;
  });
  for (let first = 0; first < jobs; first += 500) {
    await queue.addBulk(noOps(Math.min(500, jobs - first)));
  }
  let done = 0;
  let finish: () => void = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const started = performance.now();
  const worker = backend.openWorker(
    'payments',
    async (job) => {
      await commit?.();
      if (followUps > 0) await add(job);
      if (++done === jobs) finish();
    },
    { concurrency: 16 },
  );
  await finished;
  const seconds = (performance.now() - started) / 1000;
  await worker.close();
  await Promise.all([queue.close(), others.close()]);
  return jobs / seconds;
}

function noOps(count: number): QueuedJob[] {
  return Array.from({ length: count }, () => ({ name: 'no-op', data: {}, opts: { jobId: randomUUID() } }));
}
