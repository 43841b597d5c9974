import { randomUUID } from 'node:crypto';
import { type QueueName, queueNames } from '../core/jobs.ts';
import type { QueueEntry } from '../db/unit-of-work.ts';
import { within } from './deadline.ts';
import type { Logger } from './logger.ts';
import type { JobQueue, QueueBackend, QueuedJob } from './queue.ts';

/** Above this many waiting jobs, of up to 32 rows, the relay leaves a queue's rows in the outbox. */
const MAX_WAITING = 500;
const MAX_DEDUPLICATED = 8;

/** The queues that outbox rows go into. One that could not be opened is opened again at its next use. */
export function openOutboxQueues(backend: QueueBackend, logger: Logger) {
  const queues = new Map<QueueName, JobQueue>();

  /** @throws QueueUnreachable while there is no connection */
  function named(name: QueueName): JobQueue {
    const open = queues.get(name);
    if (open) return open;
    const queue = backend.openQueue(name);
    queues.set(name, queue);
    queue.waitUntilReady().catch(() => queues.delete(name));
    return queue;
  }

  /** Opens each queue inside the promise: if one cannot be opened, no rejection of the others stays unhandled. */
  function onQueues<T>(
    names: QueueName[],
    deadlineMs: number,
    call: (queue: JobQueue, name: QueueName) => Promise<T>,
  ): Promise<T[]> {
    return within(deadlineMs, Promise.all(names.map(async (name) => call(named(name), name))));
  }

  async function add(entries: QueueEntry[], deadlineMs: number): Promise<void> {
    const names = [...new Set(entries.map((entry) => entry.queue))];
    await onQueues(names, deadlineMs, (queue, name) =>
      addTo(queue, entries.filter((entry) => entry.queue === name).map(toJob)),
    );
  }

  /** A long queue would outlast the leases of its rows, which would then be relayed again and again. */
  async function withRoom(names: QueueName[], deadlineMs: number): Promise<QueueName[]> {
    const counts = await onQueues(names, deadlineMs, (queue) => queue.getJobCounts('waiting'));
    return names.filter((_name, index) => (counts[index]?.waiting ?? 0) < MAX_WAITING);
  }

  async function close(): Promise<void> {
    await Promise.all([...queues.values()].map((queue) => queue.close()));
  }

  // Connect now, so that the first enqueue does not spend its deadline on it.
  for (const name of queueNames) {
    try {
      named(name);
    } catch (error) {
      logger.debug({ err: error, queue: name }, 'queue not open yet; the first enqueue opens it');
    }
  }
  return { named, add, withRoom, close };
}

/**
 * A single job needs no pipeline, which V8 keeps until a major collection because ioredis defines a getter on each
 * (docs/decisions/0022-young-closures.md).
 */
async function addTo(queue: JobQueue, jobs: QueuedJob[]): Promise<unknown> {
  const [first, ...others] = jobs;
  return first && others.length === 0 ? queue.add(first.name, first.data, first.opts) : queue.addBulk(jobs);
}

/**
 * Deduplicated by bundle or row, so that the queue ignores rows that it still holds. Late deliveries are not, in case the
 * queue holds a job that it never runs. The job id is always a new one: BullMQ remembers those of finished jobs, and making them
 * itself would take the right to create sequences in PostgreSQL.
 */
function toJob({ ids, job, delivery, bundle }: QueueEntry): QueuedJob {
  const id = bundle ?? ids.join();
  const deduplication = delivery <= MAX_DEDUPLICATED ? { id } : undefined;
  return { name: job, data: { ids }, opts: { jobId: randomUUID(), deduplication } };
}
