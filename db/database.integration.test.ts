import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { createTestDatabase } from '../testing/databases.ts';
import { createDatabase } from './database.ts';

test('two connections stay open in an idle process', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const db = createDatabase(await createTestDatabase(inject('postgresUrl')), { poolMax: 4 });
  onTestFinished(() => db.destroy());
  /** The sessions of four transactions that are open at once. */
  const sessions = async () => {
    const open = [];
    for (let count = 0; count < 4; count++) open.push(await db.transaction());
    const pids: unknown[] = [];
    for (const trx of open) pids.push((await trx.raw('select pg_backend_pid() as pid')).rows[0].pid);
    for (const trx of open) await trx.rollback();
    return pids;
  };
  const before = await sessions();
  expect(new Set(before).size).toBe(4);
  vi.advanceTimersByTime(3_600_000);
  const after = await sessions();
  expect(after.filter((pid) => before.includes(pid))).toHaveLength(2);
});
