import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@querywright/sandbox/listen';
import { startPostgres } from '@querywright/sandbox/postgres';
import type { TestProject } from 'vitest/node';
import { prepareTemplate } from './databases.ts';
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
  // Autovacuum would visit each of a hundred small databases once a minute.
  const postgres = await startTestPostgres(path.join(folder, 'data'), { autovacuum: 'off' });
  await prepareTemplate(postgres.url);
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

/** A PostgreSQL without fsync: survives being killed, not a power loss. */
export async function startTestPostgres(folder: string, settings: Record<string, string> = {}) {
  return startPostgres({
    folder,
    port: await freePort(),
    settings: { fsync: 'off', ...settings },
  });
}
