import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { startTestPostgres } from './services/postgres.ts';
import { redisHint, startRedis } from './services/redis.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    backend: 'postgres' | 'redis';
    /** Address of the server's 'postgres' database. */
    postgresUrl: string;
    redisUrl: string | undefined;
  }
}

/** vitest global setup: one PostgreSQL, and for the Redis project one Redis, for the whole run. */
export async function setup(project: TestProject) {
  const folder = mkdtempSync(path.join(tmpdir(), 'querywright-postgres-'));
  const postgres = await startTestPostgres({
    folder: path.join(folder, 'data'),
    // It would visit each of a hundred small databases once a minute.
    settings: { autovacuum: 'off' },
  });
  project.provide('postgresUrl', postgres.url('postgres'));

  const onRedis = project.getProvidedContext().backend === 'redis';
  const redis = onRedis && !process.env.REDIS_URL ? await startRedis() : undefined;
  const redisUrl = process.env.REDIS_URL ?? redis?.url;
  if (onRedis && !redisUrl) throw new Error(redisHint);
  project.provide('redisUrl', onRedis ? redisUrl : undefined);
  return async () => {
    await redis?.stop();
    await postgres.stop('SIGQUIT');
    rmSync(folder, { recursive: true, force: true });
  };
}
