import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { createTestDatabase } from '../testing/databases.ts';
import { createDatabase } from './database.ts';

test('two connections stay open in an idle process', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const db = createDatabase(await createTestDatabase(inject('postgresUrl')), { poolMax: 4 });
  onTestFinished(() => db.destroy());
  const sessions = async () => {
    const pids = await Promise.all(
      Array.from({ length: 4 }, () =>
        db.raw<{ rows: { pid: number }[] }>('select pg_backend_pid() as pid, pg_sleep(0.05)'),
      ),
    );
    return pids.map(({ rows }) => rows[0]?.pid);
  };
  const before = await sessions();
  expect(new Set(before).size).toBe(4);
  vi.advanceTimersByTime(3_600_000);
  const after = await sessions();
  expect(after.filter((pid) => before.includes(pid))).toHaveLength(2);
});
