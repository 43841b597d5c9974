import { type QueueName, queueNames } from '../core/jobs.ts';
import { inBatches } from '../db/batches.ts';
import type { Database, Transaction } from '../db/database.ts';
import { type Aftermath, announceOrders, type Push, relayDueRows, transact } from '../db/outbox.ts';
import { crashPoint } from './crash-point.ts';
import { within } from './deadline.ts';
import type { Logger } from './logger.ts';
import { countOrderMove } from './metrics.ts';
import type { JobQueue, QueueBackend } from './queue.ts';

/** The way from a committed row to the queue. */
export interface Outbox {
  /** One transaction; once it has committed, its jobs are pushed and the watchers of its orders are told. */
  transaction<T>(requestId: string | null, work: (trx: Transaction) => Promise<T>): Promise<T>;
  /** Tells what a committed change left to be told: its jobs are pushed, its moves logged, the watchers notified. */
  publish(aftermath: Aftermath, requestId: string | null): void;
  /** Pushes rows that are committed. Never throws and never makes the caller wait: the relay heals what is lost. */
  push(rows: Push[]): void;
  /** Pushes every row that is due. Returns how many; throws if the queue does not take them (they stay due). */
  relay(): Promise<number>;
  /** Whether the queue answers; throws if not. */
  ping(): Promise<void>;
  /** The queue of this name, to look into. @throws QueueUnreachable while there is no connection */
  queue(name: QueueName): JobQueue;
  /** Waits for pushes under way, at most a second. */
  close(): Promise<void>;
}

const PUSH_DEADLINE_MS = 1_000;
const RELAY_BATCH = 500;
/** Beyond this many waiting pushes the queue is not keeping up, and the relay does the rest. */
const MOST_WAITING = 5_000;

export function createOutbox(db: Database, backend: QueueBackend, logger: Logger): Outbox {
  const queues = new Map<QueueName, JobQueue>();
  let waitingPushes = 0;
  let lastPush: Promise<unknown> | undefined;
  let lastNotice: Promise<unknown> | undefined;

  function queueNamed(name: QueueName): JobQueue {
    const open = queues.get(name);
    if (open) return open;
    const queue = backend.openQueue(name);
    queues.set(name, queue);
    queue.waitUntilReady().catch(() => queues.delete(name));
    return queue;
  }

  async function addToQueues(rows: Push[]): Promise<void> {
    const names = [...new Set(rows.map((row) => row.queue))];
    await within(
      PUSH_DEADLINE_MS,
      Promise.all(
        names.map((name) => queueNamed(name).addBulk(rows.filter((row) => row.queue === name).map(toJob))),
      ),
    );
  }

  const pushAll = inBatches(async (pushes: Push[][]) => {
    const rows = pushes.flat();
    await addToQueues(rows).catch((error: unknown) => {
      logger.warn({ err: error, rows: rows.length }, 'queue did not take the push; the relay will');
    });
    return pushes;
  });

  function push(rows: Push[]): void {
    if (rows.length === 0) return;
    crashPoint('before-push');
    if (waitingPushes >= MOST_WAITING) return;
    waitingPushes += 1;
    lastPush = pushAll(rows).finally(() => {
      waitingPushes -= 1;
    });
  }

  const announceAll = inBatches(async (changes: string[][]) => {
    await announceOrders(db, changes.flat()).catch((error: unknown) => {
      logger.warn({ err: error }, 'live notices were not sent; the streams look again with their heartbeat');
    });
    return changes;
  });

  // Opened before the first push, whose second would else go into connecting.
  for (const name of queueNames) {
    try {
      queueNamed(name);
    } catch (error) {
      logger.debug({ err: error, queue: name }, 'queue not open yet; the first push opens it');
    }
  }

  function publish({ enqueued, changedOrders, moves }: Aftermath, requestId: string | null): void {
    for (const move of moves) {
      logger.info({ ...move, requestId }, 'order moved');
      countOrderMove(move);
    }
    push(enqueued);
    if (changedOrders.length > 0) lastNotice = announceAll(changedOrders);
  }

  return {
    push,
    publish,
    async transaction(requestId, work) {
      const { result, ...aftermath } = await transact(db, requestId, work);
      publish(aftermath, requestId);
      return result;
    },
    async ping() {
      await queueNamed('payments').getJobCounts('waiting');
    },
    queue: queueNamed,
    relay: () => relayDueRows(db, RELAY_BATCH, addToQueues),
    async close() {
      await within(PUSH_DEADLINE_MS, Promise.all([lastPush, lastNotice])).catch(() => {});
      await within(PUSH_DEADLINE_MS, Promise.all([...queues.values()].map((queue) => queue.close()))).catch(
        () => {},
      );
    },
  };
}

function toJob(row: Push) {
  return { name: row.job, data: { id: row.id }, opts: { jobId: `${row.id}-${row.push}` } };
}
