import { freePort } from '@querywright/sandbox/listen';
import type { PostgresServer } from '@querywright/sandbox/postgres';
import { createTestDatabase } from '../testing/databases.ts';
import type { RedisServer } from '../testing/services/redis.ts';
import { startMeasured } from './measured.ts';

/** Starts both processes of bare-pipeline.ts on their own database: BullMQ's queues on PostgreSQL have no prefix. */
export async function startBarePipeline(postgres: PostgresServer, redis: RedisServer | undefined) {
  const port = String(await freePort());
  const env = {
    DATABASE_URL: await createTestDatabase(postgres.url('postgres')),
    PORT: port,
    ...(redis ? { REDIS_URL: redis.url } : {}),
  };
  const start = (ROLE: string) => startMeasured('bench/bare-pipeline.ts', { ...env, ROLE });
  const processes = [await start('web'), await start('worker')];
  return {
    url: `http://localhost:${port}`,
    stop: () => Promise.all(processes.map((running) => running.stop())),
  };
}
