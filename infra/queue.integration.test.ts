import { randomUUID } from 'node:crypto';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { createDatabase } from '../db/database.ts';
import { createTestDatabase } from '../testing/databases.ts';
import { waitFor } from '../testing/wait-for.ts';
import { createQueueBackend } from './queue.ts';

test('a job starts before the next one is requested, and runs once', async () => {
  const { backend, queue } = await openQueue();
  for (const id of ['1', '2']) await queue.add('apply-payment-event', { ids: [id] }, { jobId: randomUUID() });

  const request = vi.spyOn(Worker.prototype as unknown as { moveToActive(): Promise<void> }, 'moveToActive');
  onTestFinished(() => request.mockRestore());
  const happened: string[] = [];
  const run = async ({ data }: { data: { ids: string[] } }) =>
    void happened.push(`job ${data.ids} after request ${request.mock.calls.length}`);
  const worker = backend.openWorker('payments', run, { concurrency: 16 });
  await waitFor('both jobs', () => happened.length === 2);
  await worker.close();
  expect(happened).toEqual(['job 1 after request 1', 'job 2 after request 2']);
});

test('a job that has stalled too often fails without being run', async () => {
  const { backend, queue, failWhenFetched } = await openQueue();
  const [poison, harmless] = [randomUUID(), randomUUID()];
  for (const jobId of [poison, harmless]) await queue.add('apply-payment-event', { ids: [jobId] }, { jobId });
  await failWhenFetched(poison, 'job stalled more than allowable limit');

  const run: string[] = [];
  const worker = backend.openWorker('payments', async ({ data }) => void run.push(...data.ids), {
    concurrency: 1,
  });
  await waitFor('both jobs', async () => {
    const { waiting = 0, active = 0 } = await queue.getJobCounts('waiting', 'active');
    return run.length > 0 && waiting + active === 0;
  });
  await worker.close();
  expect(run).toEqual([harmless]);
});

async function openQueue() {
  const databaseUrl = await createTestDatabase(inject('postgresUrl'));
  const redisUrl = inject('backend') === 'redis' ? inject('redisUrl') : undefined;
  const queuePrefix = randomUUID();
  const backend = createQueueBackend({
    redisUrl,
    listenDatabaseUrl: databaseUrl,
    queuePrefix,
    onError: () => {},
  });
  onTestFinished(() => backend.close());
  const queue = await waitFor('the queue', async () => backend.openQueue('payments'));
  await queue.waitUntilReady();
  onTestFinished(() => queue.close());

  /** What BullMQ notes at a job that has stalled more often than `maxStalledCount`. */
  async function failWhenFetched(jobId: string, why: string): Promise<void> {
    if (redisUrl) {
      const redis = new Redis(redisUrl);
      onTestFinished(() => redis.disconnect());
      await redis.hset(`{${queuePrefix}}:payments:${jobId}`, 'defa', why);
    } else {
      const db = createDatabase(databaseUrl, { poolMax: 1 });
      onTestFinished(() => db.destroy());
      await db.raw('update bullmq.job set deferred_failure = ? where id = ?', [why, jobId]);
    }
  }
  return { backend, queue, failWhenFetched };
}
