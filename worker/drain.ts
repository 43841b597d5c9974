import type { QueueName } from '../core/jobs.ts';
import { claimDueRows } from '../db/outbox.ts';
import type { WorkerParts } from './parts.ts';

/** Rows claimed at once. They must finish well within their lease. */
const BATCH = 500;

interface Drain {
  /** Starts running the queue's due rows until none is left. Does nothing while rows of an earlier start are running. */
  start(name: QueueName): void;
  /** Whether it still claims due rows of the queue. */
  isClaiming(name: QueueName): boolean;
  close(): Promise<void>;
}

/** Runs a backlog that has filled its queue straight from the outbox, which costs less than queueing. */
export function createDrain(
  { db, logger }: Pick<WorkerParts, 'db' | 'logger'>,
  concurrency: Record<QueueName, number>,
  run: (rowId: string) => Promise<unknown>,
): Drain {
  const draining = new Map<QueueName, Promise<void>>();
  const claiming = new Set<QueueName>();
  let isClosed = false;

  /** A slow row holds up its own lane only. */
  async function drain(name: QueueName): Promise<void> {
    const rows: string[] = [];
    let total = 0;
    let claim: Promise<void> | undefined;
    async function claimMore(): Promise<void> {
      const claimed = await claimDueRows(db, [name], BATCH);
      rows.push(...claimed.map(({ id }) => id));
      total += claimed.length;
      if (claimed.length === 0) claiming.delete(name);
      claim = undefined;
    }
    async function lane(): Promise<void> {
      while (claiming.has(name) && !isClosed) {
        const row = rows.pop();
        if (row) {
          await run(row);
          continue;
        }
        claim ??= claimMore();
        await claim;
      }
    }
    await Promise.all(Array.from({ length: concurrency[name] }, lane));
    logger.info({ queue: name, rows: total }, 'backlog drained');
  }

  return {
    start(name) {
      if (isClosed || draining.has(name)) return;
      claiming.add(name);
      const running = drain(name)
        .catch((error: unknown) => logger.warn({ err: error, queue: name }, 'draining failed; retrying'))
        .finally(() => {
          claiming.delete(name);
          draining.delete(name);
        });
      draining.set(name, running);
    },
    isClaiming: (name) => claiming.has(name),
    async close() {
      isClosed = true;
      await Promise.all(draining.values());
    },
  };
}
