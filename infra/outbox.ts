import { randomUUID } from 'node:crypto';
import { type QueueName, queueNames } from '../core/jobs.ts';
import { inBatches } from '../db/batches.ts';
import type { Database, Transaction } from '../db/database.ts';
import { relayDueRows } from '../db/outbox.ts';
import { type AfterCommit, announceOrders, type QueueEntry, transact } from '../db/unit-of-work.ts';
import { crashPoint } from './crash-point.ts';
import { within } from './deadline.ts';
import type { Logger } from './logger.ts';
import { countOrderMove } from './metrics.ts';
import type { JobQueue, QueueBackend, QueuedJob } from './queue.ts';
import { traced, traceFields } from './tracing.ts';

export interface Outbox {
  transaction<T>(requestId: string | null, work: (trx: Transaction) => Promise<T>): Promise<T>;
  /** Enqueues the jobs of a committed change, logs its order moves and notifies the order streams. */
  publish(afterCommit: AfterCommit, requestId: string | null): void;
  /** Enqueues committed rows without waiting. Never throws: the relay retries what fails. */
  enqueue(rows: QueueEntry[]): void;
  /**
   * Enqueues due rows until none is left or their queues are full. Throws if a queue refuses them; they stay due.
   */
  relay(): Promise<{ relayed: number; fullQueues: QueueName[] }>;
  /** @throws if the queue does not answer */
  ping(): Promise<void>;
  /** @throws QueueUnreachable while there is no connection */
  queue(name: QueueName): JobQueue;
  /** Waits for pending enqueues, at most a second. */
  close(): Promise<void>;
}

const postgresql = { 'db.system.name': 'postgresql' };
const ENQUEUE_DEADLINE_MS = 1_000;
const RELAY_BATCH = 1_000;
/** Above this many waiting jobs the relay leaves a queue's rows in the outbox. */
const MAX_WAITING = 2_000;
const RELAY_DEADLINE_MS = 5_000;
const MAX_DEDUPLICATED = 8;
/** Above this many pending enqueues the relay takes over. */
const MAX_PENDING = 5_000;

export function createOutbox(db: Database, backend: QueueBackend, logger: Logger): Outbox {
  const queues = new Map<QueueName, JobQueue>();
  let closed = false;
  let pendingEnqueues = 0;
  let lastEnqueue: Promise<unknown> | undefined;
  let lastNotification: Promise<unknown> | undefined;

  function queueNamed(name: QueueName): JobQueue {
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
    return within(deadlineMs, Promise.all(names.map(async (name) => call(queueNamed(name), name))));
  }

  async function addToQueues(rows: QueueEntry[], deadlineMs: number): Promise<void> {
    const names = [...new Set(rows.map((row) => row.queue))];
    await onQueues(names, deadlineMs, (queue, name) =>
      queue.addBulk(rows.filter((row) => row.queue === name).map(toJob)),
    );
  }

  /** A long queue would outlast the leases of its rows, which would then be relayed again and again. */
  async function queuesWithRoom(): Promise<QueueName[]> {
    const counts = await onQueues([...queueNames], RELAY_DEADLINE_MS, (queue) =>
      queue.getJobCounts('waiting'),
    );
    return queueNames.filter((_, index) => (counts[index]?.waiting ?? 0) < MAX_WAITING);
  }

  const enqueueAll = inBatches(async (calls: QueueEntry[][]) => {
    const rows = calls.flat();
    await addToQueues(rows, ENQUEUE_DEADLINE_MS).catch((error: unknown) => {
      logger.warn({ err: error, rows: rows.length }, 'enqueue failed; the relay will retry');
    });
    return calls;
  });

  function enqueue(rows: QueueEntry[]): void {
    if (rows.length === 0) return;
    crashPoint('before-enqueue');
    if (pendingEnqueues >= MAX_PENDING) return;
    pendingEnqueues += 1;
    lastEnqueue = enqueueAll(rows)
      .catch((error: unknown) => logger.warn({ err: error }, 'enqueue failed; the relay will retry'))
      .finally(() => {
        pendingEnqueues -= 1;
      });
  }

  const announceAll = inBatches(async (changes: string[][]) => {
    await announceOrders(db, changes.flat()).catch((error: unknown) => {
      logger.warn({ err: error }, 'announcing order changes failed; the next sweep sends them');
    });
    return changes;
  });

  // Connect now, so that the first enqueue does not spend its deadline on it.
  for (const name of queueNames) {
    try {
      queueNamed(name);
    } catch (error) {
      logger.debug({ err: error, queue: name }, 'queue not open yet; the first enqueue opens it');
    }
  }

  function publish({ enqueued, changedOrders, moves }: AfterCommit, requestId: string | null): void {
    for (const move of moves) {
      const { traceparent, ...fields } = { ...move, requestId: move.requestId ?? requestId };
      logger.info({ ...fields, ...traceFields(traceparent) }, 'order moved');
      countOrderMove(move);
    }
    // Before enqueuing: a buyer may be watching the order.
    if (changedOrders.length > 0) lastNotification = announceAll(changedOrders).catch(() => {});
    enqueue(enqueued);
  }

  return {
    enqueue,
    publish,
    async transaction(requestId, work) {
      return traced('transaction', { kind: 'client', attributes: postgresql }, async () => {
        const { result, ...afterCommit } = await transact(db, requestId, work);
        publish(afterCommit, requestId);
        return result;
      });
    },
    async ping() {
      await queueNamed('payments').getJobCounts('waiting');
    },
    queue: queueNamed,
    async relay() {
      let relayed = 0;
      while (!closed) {
        const names = await queuesWithRoom();
        const batch = await relayDueRows(db, names, RELAY_BATCH, (rows) =>
          addToQueues(rows, RELAY_DEADLINE_MS),
        );
        relayed += batch;
        if (batch < RELAY_BATCH) {
          return { relayed, fullQueues: queueNames.filter((name) => !names.includes(name)) };
        }
      }
      return { relayed, fullQueues: [] };
    },
    async close() {
      closed = true;
      await within(ENQUEUE_DEADLINE_MS, Promise.all([lastEnqueue, lastNotification])).catch(() => {});
      await within(
        ENQUEUE_DEADLINE_MS,
        Promise.all([...queues.values()].map((queue) => queue.close())),
      ).catch(() => {});
    },
  };
}

/**
 * Deduplicated by row, so that the queue ignores a row that it still holds. Late deliveries are not, in case the queue
 * holds a job that it never runs. The job id is always a new one: BullMQ remembers those of finished jobs, and making them
 * itself would take the right to create sequences in PostgreSQL.
 */
function toJob({ id, job, delivery }: QueueEntry): QueuedJob {
  const deduplication = delivery <= MAX_DEDUPLICATED ? { id } : undefined;
  return { name: job, data: { id }, opts: { jobId: randomUUID(), deduplication } };
}
