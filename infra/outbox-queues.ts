import { randomUUID } from 'node:crypto';
import { type QueueName, queueNames } from '../core/jobs.ts';
import type { QueueEntry } from '../db/unit-of-work.ts';
import { within } from './deadline.ts';
import type { Logger } from './logger.ts';
import type { JobQueue, QueueBackend, QueuedJob } from './queue.ts';

/** Above this many waiting jobs, of up to 32 rows, the relay leaves a queue's rows in the outbox. */
const MAX_WAITING = 500;
/** Above this many, events stay in the outbox too, so that a queue without workers does not fill Redis. */
const MAX_WAITING_EVENTS = 5_000;
/** How many jobs a process adds before it counts again, and how often it counts a queue that was full. */
const COUNT_AFTER = 250;
const COUNT_FULL_AGAIN_MS = 1_000;
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
  async function withRoom(names: QueueName[], deadlineMs: number, most = MAX_WAITING): Promise<QueueName[]> {
    const counts = await onQueues(names, deadlineMs, (queue) => queue.getJobCounts('waiting'));
    return names.filter((_name, index) => (counts[index]?.waiting ?? 0) < most);
  }

  const rooms = new Map<QueueName, { isFull: boolean; added: number; countedAt: number }>();

  /** Whether the queue had room when this process last counted. A count that is due is made without waiting for it. */
  function seemsOpen(name: QueueName, deadlineMs: number): boolean {
    const room = rooms.get(name) ?? { isFull: false, added: 0, countedAt: 0 };
    rooms.set(name, room);
    room.added += 1;
    const now = performance.now();
    if (room.isFull ? now - room.countedAt > COUNT_FULL_AGAIN_MS : room.added > COUNT_AFTER) {
      room.added = 0;
      room.countedAt = now;
      withRoom([name], deadlineMs, MAX_WAITING_EVENTS).then(
        ({ length }) => {
          room.isFull = length === 0;
        },
        () => {},
      );
    }
    return !room.isFull;
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
  return { named, add, withRoom, seemsOpen, close };
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
