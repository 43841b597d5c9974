import type { QueueName } from '../core/jobs.ts';
import { claimDueRows } from '../db/outbox.ts';
import type { WorkerParts } from './parts.ts';

/** Rows claimed at once. They must finish well within their lease. */
const BATCH = 500;

interface Drain {
  /** Starts running the queue's due rows until none is left. Does nothing if already running. */
  start(name: QueueName): void;
  isRunning(name: QueueName): boolean;
  close(): Promise<void>;
}

/** Runs a backlog that has filled its queue straight from the outbox, which costs less than queueing. */
export function createDrain(
  { db, logger }: Pick<WorkerParts, 'db' | 'logger'>,
  concurrency: Record<QueueName, number>,
  run: (rowId: string) => Promise<void>,
): Drain {
  const draining = new Map<QueueName, Promise<void>>();
  let isClosed = false;

  async function drain(name: QueueName): Promise<void> {
    let total = 0;
    while (!isClosed) {
      const rows = await claimDueRows(db, [name], BATCH);
      if (rows.length === 0) break;
      total += rows.length;
      const next = async () => {
        for (let row = rows.pop(); row && !isClosed; row = rows.pop()) await run(row.id);
      };
      await Promise.all(Array.from({ length: concurrency[name] }, next));
    }
    logger.info({ queue: name, rows: total }, 'backlog drained');
  }

  return {
    start(name) {
      if (isClosed || draining.has(name)) return;
      const running = drain(name)
        .catch((error: unknown) => logger.warn({ err: error, queue: name }, 'draining failed; retrying'))
        .finally(() => draining.delete(name));
      draining.set(name, running);
    },
    isRunning: (name) => draining.has(name),
    async close() {
      isClosed = true;
      await Promise.all(draining.values());
    },
  };
}
