import { expect, test } from 'vitest';
import { createDatabase } from '../db/database.ts';
import { startOwnPostgres } from '../testing/services/postgres.ts';
import { waitFor } from '../testing/wait-for.ts';
import { createQueueBackend } from './queue.ts';

test('a database that is killed while BullMQ checks its schema ends the call, not the process', async () => {
  const postgres = await startOwnPostgres();
  const db = createDatabase(postgres.url, { poolMax: 2 });
  const lock = await db.transaction();
  await lock.raw('lock table bullmq.migration');

  const settings = { redisUrl: undefined, queuePrefix: 'test', onError: () => {} };
  const queue = createQueueBackend({ ...settings, listenDatabaseUrl: postgres.url }).openQueue('payments');
  const outcome = queue.waitUntilReady().catch((error: unknown) => error);
  await waitFor('the check waits', async () => {
    const { rows } = await db.raw(
      `select from pg_stat_activity where application_name = 'querywright queue' and wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  });
  await postgres.stop();
  expect(await outcome).toBeInstanceOf(Error);

  await lock.rollback().catch(() => {});
  await queue.close();
  await db.destroy();
  await postgres.remove();
}, 60_000);
