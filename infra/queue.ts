import type { EventEmitter } from 'node:events';
import {
  type Job,
  type JobType,
  type Processor,
  Queue,
  type QueueOptions,
  Worker,
  type WorkerOptions,
} from 'bullmq';
import type { QueueName } from '../core/jobs.ts';
import { KEEPALIVE } from '../db/database.ts';
import { openPostgresBackend } from './postgres-queue.ts';
import { connectRedis, failFast, patient, type RedisConnection } from './redis.ts';

export class QueueUnreachable extends Error {
  constructor() {
    super('The queue is not connected');
    this.name = 'QueueUnreachable';
  }
}

export interface QueuedJob {
  name: string;
  data: { ids?: string[] };
  opts: { jobId: string; deduplication?: { id: string } | undefined };
}

export interface JobQueue {
  add(name: string, data: QueuedJob['data'], options: QueuedJob['opts']): Promise<unknown>;
  addBulk(jobs: QueuedJob[]): Promise<unknown>;
  waitUntilReady(): Promise<unknown>;
  getJobCounts(...types: JobType[]): Promise<Record<string, number>>;
  getWorkersCount(): Promise<number>;
  getJobs(types: JobType[], start: number, end: number, ascending: boolean): Promise<{ timestamp: number }[]>;
  close(): Promise<void>;
}

export interface JobWorker {
  waitUntilReady(): Promise<unknown>;
  close(force?: boolean): Promise<void>;
}

export interface QueueBackend {
  kind: 'redis' | 'postgres';
  /** @throws QueueUnreachable while there is no connection */
  openQueue(name: QueueName): JobQueue;
  openWorker(name: QueueName, processor: Processor, options: { concurrency: number }): JobWorker;
  close(): Promise<void>;
}

const queueOptions: Omit<QueueOptions, 'connection'> = {
  defaultJobOptions: {
    // Retries belong to the outbox row.
    attempts: 1,
    // The outbox is the record. Whenever a job ends, BullMQ reads all jobs that it keeps: on PostgreSQL, 1,000 of them
    // took two thirds of a job's time.
    removeOnComplete: true,
    removeOnFail: { age: 7 * 24 * 3_600, count: 100 },
  },
};

/** Detects a killed worker within 15 s; a job survives that five times. BullMQ's defaults are 60 s and once. */
const workerOptions: Omit<WorkerOptions, 'connection'> = {
  lockDuration: 10_000,
  stalledInterval: 5_000,
  maxStalledCount: 5,
};

interface QueueSettings {
  redisUrl: string | undefined;
  listenDatabaseUrl: string;
  queuePrefix: string;
  onError: (error: Error) => void;
}

/** BullMQ on Redis where `redisUrl` is set, else on PostgreSQL. */
export function createQueueBackend(settings: QueueSettings): QueueBackend {
  return settings.redisUrl
    ? redisBackend(settings.redisUrl, `{${settings.queuePrefix}}`, settings.onError)
    : postgresBackend(settings.listenDatabaseUrl, settings.onError);
}

// The braces are a hash tag: they keep a queue's keys in one slot of a Redis Cluster.
function redisBackend(url: string, prefix: string, onError: (error: Error) => void): QueueBackend {
  const connections: RedisConnection[] = [];
  const connect = (options: typeof failFast) => {
    const connection = connectRedis(url, options, onError);
    connections.push(connection);
    return connection;
  };
  // Opened early: a connection without an offline queue fails commands until it is ready.
  const producer = connect(failFast);
  return {
    kind: 'redis',
    openQueue(name) {
      // BullMQ reads the Redis version once, in the constructor: a queue built too early stays broken.
      if (producer.status !== 'ready') throw new QueueUnreachable();
      const queue = new Queue(name, {
        ...queueOptions,
        prefix,
        connection: producer,
        skipWaitingForReady: true,
      });
      queue.on('error', onError);
      return queue;
    },
    openWorker(name, processor, { concurrency }) {
      const options = { ...workerOptions, prefix, concurrency, connection: connect(patient) };
      return openEagerly((eager) => new Worker(name, eager, options), processor, onError);
    },
    async close() {
      for (const connection of connections) connection.disconnect();
    },
  };
}

/**
 * Opens a worker that starts each job on arrival. BullMQ requests the next job first and may await the response, while a buyer
 * waits.
 */
function openEagerly<W extends JobWorker & EventEmitter>(
  open: (processor: Processor) => W,
  processor: Processor,
  onError: (error: Error) => void,
): W {
  const runs = new WeakMap<Job, Promise<unknown>>();
  const worker = open((job) => runs.get(job) ?? processor(job));
  worker.on('error', onError);
  worker.on('active', (job: Job) => {
    // It has stalled too often: BullMQ fails it without running it.
    if (job.deferredFailure) return;
    const run = processor(job);
    // Handled by BullMQ, which awaits it later.
    run.catch(() => {});
    runs.set(job, run);
  });
  return worker;
}

/** PostgreSQL connections of one queue's producer and worker: a pool and a listening connection. */
export const PRODUCER_CONNECTIONS = 4;
const WORKER_POOL_MAX = 6;
export const WORKER_CONNECTIONS = WORKER_POOL_MAX + 1;

function postgresBackend(url: string, onError: (error: Error) => void): QueueBackend {
  const connection = (max: number) => ({
    connectionString: url,
    application_name: 'querywright queue',
    ...KEEPALIVE,
    connectionTimeoutMillis: 3_000,
    // A half-open connection must not hold a job indefinitely.
    query_timeout: 5_500,
    max,
    // By default the last one is closed after 10 s. A new one has to compile BullMQ's functions: the next payment took 70 ms
    // instead of 20.
    min: 1,
    schema: 'bullmq',
    skipMigrations: true,
    // A crash of the server may undo the queue's last steps: what they lose is enqueued again, what they repeat has no effect.
    options: '-c synchronous_commit=off',
  });
  return {
    kind: 'postgres',
    openQueue(name) {
      const queue = new Queue(
        name,
        { ...queueOptions, connection: connection(PRODUCER_CONNECTIONS) },
        openPostgresBackend,
      );
      queue.on('error', onError);
      return queue;
    },
    openWorker(name, processor, { concurrency }) {
      const options = { ...workerOptions, concurrency, connection: connection(WORKER_POOL_MAX) };
      const open = (eager: Processor) => new Worker(name, eager, options, openPostgresBackend);
      return onceReachable(() => openEagerly(open, processor, onError));
    },
    async close() {},
  };
}

const RECONNECT_MS = 1_000;

/** On PostgreSQL a BullMQ worker that cannot connect when it is created never does, so it is created again. */
function onceReachable(create: () => JobWorker): JobWorker {
  let worker = create();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  watch();

  function watch(): void {
    worker.waitUntilReady().catch(async () => {
      await worker.close(true).catch(() => {});
      if (isClosed) return;
      timer = setTimeout(() => {
        worker = create();
        watch();
      }, RECONNECT_MS);
    });
  }

  return {
    waitUntilReady: () => worker.waitUntilReady(),
    async close(force) {
      isClosed = true;
      clearTimeout(timer);
      await worker.close(force);
    },
  };
}
