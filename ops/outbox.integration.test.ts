import { expect, test } from 'vitest';
import { jobNames } from '../core/jobs.ts';
import { runOps } from '../testing/operator.ts';
import { withShop } from '../testing/shop.ts';

const shop = await withShop();

test('outbox status shows for every job how many rows are open, overdue for more than 10 s, failing or dead', async () => {
  const row = {
    job: 'send-email',
    queue: 'emails',
    payload: '{"emailId":"1"}',
    due_at: new Date(Date.now() + 60_000),
  };
  await shop
    .db('outbox')
    .insert([
      { ...row, created_at: new Date(Date.now() - 3_600_000), due_at: new Date(0), attempts: 3 },
      row,
      { ...row, due_at: new Date(Date.now() - 5_000) },
      { ...row, status: 'dead' },
      { ...row, status: 'done' },
    ]);

  const status: Record<string, unknown>[] = JSON.parse(
    (await runOps(shop, ['outbox', 'status', '--json'])).out,
  );
  expect(status.map(({ job }) => job)).toEqual(jobNames);
  expect(status.find(({ job }) => job === 'send-email')).toEqual({
    job: 'send-email',
    open: 3,
    overdue: 1,
    failing: 1,
    dead: 1,
    oldestOpenSeconds: expect.closeTo(3_600, -1),
    deadSince: row.due_at.getTime(),
    oldestOverdueSeconds: expect.closeTo(Date.now() / 1_000, -2),
  });
  const { out } = await runOps(shop, ['outbox', 'status']);
  expect(out).toMatch(/^send-email +3 +1 +1 +1 +60 min$/m);
  expect(out).toMatch(/^apply-payment-event +0 +0 +0 +0 +-$/m);
});
