import { randomUUID } from 'node:crypto';
import { Worker } from 'bullmq';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { createTestDatabase } from '../testing/databases.ts';
import { waitFor } from '../testing/wait-for.ts';
import { createQueueBackend } from './queue.ts';

test('a job starts before the next one is requested, and runs once', async () => {
  const backend = createQueueBackend({
    redisUrl: inject('backend') === 'redis' ? inject('redisUrl') : undefined,
    listenDatabaseUrl: await createTestDatabase(inject('postgresUrl')),
    queuePrefix: randomUUID(),
    onError: () => {},
  });
  onTestFinished(() => backend.close());
  const queue = await waitFor('the queue', async () => backend.openQueue('payments'));
  await queue.waitUntilReady();
  onTestFinished(() => queue.close());
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
