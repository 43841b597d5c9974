import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@querywright/sandbox/listen';
import { type PostgresServer, startPostgres } from '@querywright/sandbox/postgres';
import { createDatabase } from '../db/database.ts';
import { createTestDatabase, prepareTemplate } from '../testing/databases.ts';
import { startScript } from '../testing/processes.ts';
import { type RedisServer, redisHint, startRedis } from '../testing/services/redis.ts';
import { waitFor } from '../testing/wait-for.ts';

export type Stage = Awaited<ReturnType<typeof openStage>>;

const WAIT = { timeoutMs: 240_000, everyMs: 20 };

export interface Servers {
  postgres: PostgresServer;
  redis: RedisServer | undefined;
}

/** Runs `work` with a PostgreSQL that has fsync on, as in production, and a Redis if one is available. */
export async function withServers(work: (servers: Servers) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'querywright-bench-'));
  const postgres = await startPostgres({ folder: path.join(folder, 'data'), port: await freePort() });
  await prepareTemplate(postgres.url);
  const redis = await startRedis();
  if (!redis) console.info(`Redis is left out. ${redisHint}`);
  try {
    await work({ postgres, redis });
  } finally {
    await redis?.stop();
    await postgres.stop('SIGQUIT');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A database, a sandbox, and the settings of the measured processes. Without `redis` the queues are on PostgreSQL. */
export async function openStage(postgres: PostgresServer, redis: RedisServer | undefined, existing?: string) {
  const databaseUrl = existing ?? (await createTestDatabase(postgres.url('postgres')));
  const db = createDatabase(databaseUrl, { poolMax: 4 });
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const sandboxPort = await freePort();
  const addresses = { SANDBOX_PORT: String(sandboxPort), SANDBOX_SMTP_PORT: String(await freePort()) };
  // In another process: the load generator would measure how long its own is busy.
  const sandbox = await startScript(
    'packages/sandbox/main.ts',
    { ...addresses, SITE_URL: url },
    { ready: 'sandbox:' },
  );
  const mailPort = String(await freePort());
  const mailSink = await startScript('bench/mail-sink.ts', { PORT: mailPort });
  /** Polled instead of `open`, whose count would load the database. */
  const hasOpen = async (queue: string) =>
    (await db('outbox').where({ status: 'open', queue }).first('id')) !== undefined;
  const untilSettled = () =>
    waitFor('every order is settled', async () => !(await hasOpen('payments')), WAIT);
  return {
    db,
    port,
    url,
    sandboxPort,
    env: {
      DATABASE_URL: databaseUrl,
      QUEUE_PREFIX: 'bench',
      ...addresses,
      SANDBOX_SMTP_PORT: mailPort,
      ...(redis ? { REDIS_URL: redis.url } : {}),
    },
    /** Jobs of a queue that are not done. */
    async open(queue: string): Promise<number> {
      const row = await db('outbox').where({ status: 'open', queue }).count('id as rows').first();
      return Number(row?.rows);
    },
    untilSettled,
    /** Waits until every order is settled and every mail is sent. */
    async untilDone(): Promise<void> {
      await untilSettled();
      await waitFor('every mail is sent', async () => !(await hasOpen('emails')), WAIT);
    },
    /** Removes unprocessed work, and the checks of unpaid orders, so that the next part does not measure them. */
    async discardWork(): Promise<void> {
      await db.raw('truncate outbox, payment_events cascade');
      await db('orders').whereNotNull('next_check_at').update({ next_check_at: null });
      if (redis) return redis.flush();
      await db.raw(`do $$ declare t text; begin
        for t in select format('%I.%I', schemaname, tablename) from pg_tables where schemaname = 'bullmq' and tablename like '%job%'
        loop execute 'truncate ' || t || ' cascade'; end loop; end $$`);
    },
    /** Prevents autovacuum from cleaning up after one part during the next. */
    async vacuum(): Promise<void> {
      await db.raw('vacuum analyze');
    },
    async close(): Promise<void> {
      await Promise.all([sandbox.stop(), mailSink.stop()]);
      await db.destroy();
    },
  };
}
