import { setTimeout as sleep } from 'node:timers/promises';
import { type QueueName, queueNames } from '../../core/jobs.ts';
import type { Config } from '../../infra/config.ts';
import { countWorkers } from '../../infra/connection-budget.ts';
import { createQueueBackend, type JobQueue, QueueUnreachable } from '../../infra/queue.ts';
import { readEvictionPolicies } from '../../infra/redis.ts';
import { ok, problem, type Verdict, warning } from './check.ts';

const CONNECT_MS = 5_000;
const RETRY_MS = 50;

/** The queue as a process sees it. Close it at the end. */
interface QueueProbe {
  check(): Promise<Verdict>;
  checkWorkers(): Promise<Verdict[]>;
  countWorkers(): Promise<number>;
  close(): Promise<void>;
}

export function probeQueue(config: Config): QueueProbe {
  const backend = createQueueBackend({ ...config, onError: () => {} });
  const queues = new Map<QueueName, JobQueue>();

  /** A Redis connection takes a moment. */
  async function opened(name: QueueName): Promise<JobQueue> {
    for (const start = performance.now(); ; await sleep(RETRY_MS)) {
      try {
        const queue = queues.get(name) ?? backend.openQueue(name);
        queues.set(name, queue);
        return queue;
      } catch (error) {
        if (!(error instanceof QueueUnreachable) || performance.now() - start > CONNECT_MS) throw error;
      }
    }
  }

  const workersOf = async (name: QueueName) => (await opened(name)).getWorkersCount();

  return {
    async check() {
      const counts = await Promise.all(
        queueNames.map(async (name) => (await opened(name)).getJobCounts('waiting')),
      );
      const waiting = counts.reduce((sum, count) => sum + (count.waiting ?? 0), 0);
      const policies = config.redisUrl ? await readEvictionPolicies(config.redisUrl) : [];
      const evicting = policies.find((policy) => policy !== 'noeviction');
      if (evicting)
        return problem(`maxmemory-policy ${evicting}: jobs may be evicted`, 'set it to noeviction');
      return ok(`${backend.kind}, ${waiting} jobs waiting`);
    },

    async checkWorkers() {
      const counts = await Promise.all(
        queueNames.map(async (name) => ({ name, count: await workersOf(name) })),
      );
      const idle = counts.filter(({ count }) => count === 0);
      if (idle.length > 0)
        return idle.map(({ name }) =>
          problem(`no worker serves ${name}`, 'start one: node dist/worker/main.js'),
        );
      const single = config.production ? counts.filter(({ count }) => count === 1) : [];
      if (single.length > 0)
        return single.map(({ name }) =>
          warning(`one worker serves ${name}`, 'start another, so that one can fail'),
        );
      return [ok(counts.map(({ name, count }) => `${name} ${count}`).join(', '))];
    },

    countWorkers: () => countWorkers(opened),

    async close() {
      await Promise.all([...queues.values()].map((queue) => queue.close().catch(() => {})));
      await backend.close();
    },
  };
}
