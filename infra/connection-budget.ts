import { type QueueName, queueNames } from '../core/jobs.ts';
import { type Connections, missingTimeLimits, readConnections } from '../db/connections.ts';
import type { Database } from '../db/database.ts';
import type { Config } from './config.ts';
import type { Logger } from './logger.ts';
import { type JobQueue, PRODUCER_CONNECTIONS, WORKER_CONNECTIONS } from './queue.ts';
import { SESSION_CONNECTIONS } from './sessions.ts';

type PoolSettings = Pick<Config, 'databasePoolMax' | 'redisUrl' | 'workerQueues' | 'isDatabasePooled'>;

interface ConnectionBudget extends Connections {
  workers: number;
  /** The most connections that the web and worker processes running now may open. */
  demand: number;
  /** `short`: the server allows fewer than they may open. `used up`: hardly any are free now. */
  state: 'enough' | 'short' | 'used up';
}

const LIVE_UPDATES = 1;
const USED_UP = 0.9;
const REPORT_AFTER_MS = 5_000;

/** The most PostgreSQL connections that one process of each kind opens. */
export function connectionsPerProcess({ databasePoolMax, redisUrl, workerQueues }: PoolSettings) {
  const producers = redisUrl ? 0 : queueNames.length * PRODUCER_CONNECTIONS;
  return {
    web: databasePoolMax + LIVE_UPDATES + producers + (redisUrl ? 0 : SESSION_CONNECTIONS),
    worker: databasePoolMax + producers + (redisUrl ? 0 : workerQueues.length * WORKER_CONNECTIONS),
  };
}

/** Compares the connections that the processes running now may open with those that the server allows. */
export async function compareConnections(
  db: Database,
  settings: PoolSettings,
  countWorkers: () => Promise<number>,
): Promise<ConnectionBudget> {
  const [connections, workers] = await Promise.all([readConnections(db), countWorkers()]);
  const each = connectionsPerProcess(settings);
  const demand = connections.webProcesses * each.web + workers * each.worker;
  const isUsedUp = connections.used > connections.limit * USED_UP;
  // A pooler opens no more than its own limit, however many its clients ask for.
  const isShort = demand > connections.limit && !settings.isDatabasePooled;
  const state = isUsedUp ? 'used up' : isShort ? 'short' : 'enough';
  return { ...connections, workers, demand, state };
}

/** The number of connected workers, by the queue that has the most. */
export async function countWorkers(open: (name: QueueName) => JobQueue | Promise<JobQueue>): Promise<number> {
  const counts = queueNames.map(async (name) => (await open(name)).getWorkersCount());
  return Math.max(...(await Promise.all(counts)));
}

interface Reporting {
  db: Database;
  config: PoolSettings;
  logger: Logger;
  outbox: { queue(name: QueueName): JobQueue };
  onClose(step: () => unknown): void;
}

/** Logs the budget once, after processes that start together have connected; retries while a server is unavailable. */
export function reportConnections(parts: Reporting, everyMs = REPORT_AFTER_MS): void {
  const { db, config, logger, outbox, onClose } = parts;
  let timer = setTimeout(() => void report(), everyMs);
  onClose(() => clearTimeout(timer));

  async function report(): Promise<void> {
    try {
      const missing = await missingTimeLimits(db);
      if (missing.length > 0)
        logger.warn({ missing }, 'no time limits: set them for the role of DATABASE_URL');
      const budget = await compareConnections(db, config, () => countWorkers((name) => outbox.queue(name)));
      if (budget.state === 'enough') return logger.info(budget, 'database connections');
      logger.warn(
        budget,
        'database connections may run out: lower DATABASE_POOL_MAX or raise max_connections',
      );
    } catch (error) {
      logger.debug({ err: error }, 'database connections not counted; retrying');
      timer = setTimeout(() => void report(), everyMs);
    }
  }
}
