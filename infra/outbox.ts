import { type QueueName, queueNames } from '../core/jobs.ts';
import { inBatches } from '../db/batches.ts';
import type { Database, Transaction } from '../db/database.ts';
import { relayDueRows } from '../db/outbox.ts';
import {
  type AfterCommit,
  type Committed,
  type QueueEntry,
  retryConflicts,
  transact,
} from '../db/unit-of-work.ts';
import { crashPoint } from './crash-point.ts';
import { within } from './deadline.ts';
import type { Logger } from './logger.ts';
import { countOrderMove } from './metrics.ts';
import { openOutboxQueues } from './outbox-queues.ts';
import type { JobQueue, QueueBackend } from './queue.ts';
import { traced, traceFields } from './tracing.ts';
import { afterUrgentWork } from './urgent-work.ts';

export interface Outbox {
  transaction<T>(requestId: string | null, work: (trx: Transaction) => Promise<T>): Promise<T>;
  /** A transaction of a single statement. */
  statement<T>(run: (db: Database) => Promise<Committed<T>>): Promise<T>;
  /** Enqueues rows without waiting. Never throws: the relay takes what fails, or what a full queue does not get. */
  enqueue(entries: QueueEntry[]): void;
  /**
   * Enqueues due rows of these queues until none is left or they are full. Throws if a queue refuses them; they stay due.
   */
  relay(names?: readonly QueueName[]): Promise<{ relayed: number; fullQueues: QueueName[] }>;
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
const RELAY_DEADLINE_MS = 5_000;
/** One claim serves all rows written meanwhile, and one job their e-mails. */
const waves = {
  delayMs: 50,
  paceMs: 250,
  enough: Number.POSITIVE_INFINITY,
  maxWaiting: Number.POSITIVE_INFINITY,
};
/** Above this many pending enqueues the relay takes over. */
const MAX_PENDING = 5_000;

export function createOutbox(db: Database, backend: QueueBackend, logger: Logger): Outbox {
  const queues = openOutboxQueues(backend, logger);
  let closed = false;
  let pendingEnqueues = 0;
  let lastEnqueue: Promise<unknown> | undefined;
  let lastWave: Promise<unknown> | undefined;

  const enqueueAll = inBatches(async (calls: QueueEntry[][]) => {
    const entries = calls.flat().filter(({ queue }) => queues.seemsOpen(queue, ENQUEUE_DEADLINE_MS));
    if (entries.length === 0) return calls;
    await queues.add(entries, ENQUEUE_DEADLINE_MS).catch((error: unknown) => {
      const rows = entries.flatMap(({ ids }) => ids).length;
      logger.warn({ err: error, rows }, 'enqueue failed; the relay will retry');
    });
    return calls;
  });

  const relayWave = inBatches(async (calls: QueueName[][]) => {
    const due = [...new Set(calls.flat())];
    await afterUrgentWork(() => relayBatch(due, ENQUEUE_DEADLINE_MS)).catch((error: unknown) => {
      logger.warn({ err: error }, 'enqueue failed; the relay will retry');
    });
    return calls;
  }, waves);

  async function relayBatch(names: QueueName[], deadlineMs: number) {
    const open = await queues.withRoom(names, deadlineMs);
    const add = (entries: QueueEntry[]) => queues.add(entries, deadlineMs);
    const relayed = open.length > 0 ? await relayDueRows(db, open, RELAY_BATCH, add) : 0;
    return { relayed, fullQueues: names.filter((name) => !open.includes(name)) };
  }

  function enqueue(entries: QueueEntry[]): void {
    if (entries.length === 0) return;
    crashPoint('before-enqueue');
    if (pendingEnqueues >= MAX_PENDING) return;
    pendingEnqueues += 1;
    lastEnqueue = enqueueAll(entries)
      .catch((error: unknown) => logger.warn({ err: error }, 'enqueue failed; the relay will retry'))
      .finally(() => {
        pendingEnqueues -= 1;
      });
  }

  /** Relays the jobs of a committed change soon, and logs its order moves. */
  function publish({ due, moves }: AfterCommit): void {
    for (const move of moves) {
      const { traceparent, ...fields } = move;
      logger.info({ ...fields, ...traceFields(traceparent) }, 'order moved');
      countOrderMove(move);
    }
    if (due.length === 0) return;
    crashPoint('before-enqueue');
    lastWave = relayWave(due).catch(() => {});
  }

  function commit<T>(work: () => Promise<Committed<T>>): Promise<T> {
    return traced('transaction', { kind: 'client', attributes: postgresql }, async () => {
      const { result, ...afterCommit } = await work();
      publish(afterCommit);
      return result;
    });
  }

  return {
    enqueue,
    transaction: (requestId, work) => commit(() => transact(db, requestId, work)),
    statement: (run) => commit(() => retryConflicts(db, () => run(db))),
    async ping() {
      await queues.named('payments').getJobCounts('waiting');
    },
    queue: queues.named,
    async relay(names = queueNames) {
      let relayed = 0;
      while (!closed) {
        const batch = await relayBatch([...names], RELAY_DEADLINE_MS);
        relayed += batch.relayed;
        if (batch.relayed < RELAY_BATCH) return { relayed, fullQueues: batch.fullQueues };
      }
      return { relayed, fullQueues: [] };
    },
    async close() {
      closed = true;
      await within(ENQUEUE_DEADLINE_MS, Promise.all([lastEnqueue, lastWave])).catch(() => {});
      await within(ENQUEUE_DEADLINE_MS, queues.close()).catch(() => {});
    },
  };
}
