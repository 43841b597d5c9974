import type { Config } from './config.ts';

/** The most PostgreSQL connections that one process of each kind opens. */
export function connectionsPerProcess({
  databasePoolMax,
  redisUrl,
}: Pick<Config, 'databasePoolMax' | 'redisUrl'>): { web: number; worker: number } {
  // Live updates and one more; without Redis also sessions, and BullMQ's queues and workers.
  return {
    web: databasePoolMax + 2 + (redisUrl ? 0 : 9),
    worker: databasePoolMax + (redisUrl ? 0 : 14),
  };
}
