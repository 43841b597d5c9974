import { beforeEach, expect, test, vi } from 'vitest';
import { withShop } from '../testing/shop.ts';
import { enqueueDueChecks } from './reconciliation.ts';
import { transact } from './unit-of-work.ts';

const shop = await withShop();
const limits = { unsettled: 10, settled: 5, settledEveryMs: 60_000 };
const check = () => transact(shop.db, null, (trx) => enqueueDueChecks(trx, limits));

beforeEach(async () => {
  await shop.db('schedules').delete();
  await shop.db('outbox').delete();
  await shop.db('orders').update({ next_check_at: null });
});

test.each(['pending', 'processing', 'failed'])(
  'a %s order is checked on time however many settled orders are due',
  async (status) => {
    await dueOrders('paid', 30, '30 days');
    const [unsettled] = await dueOrders(status, 1, '1 second');
    await check();
    expect(await checkedOrders()).toContain(unsettled);
  },
);

test('the check of settled orders is limited across all workers, longest overdue first', async () => {
  await dueOrders('paid', 20, '1 day');
  const first = await dueOrders('refunded', limits.settled, '2 days');
  await Promise.all([check(), check(), check()]);
  expect((await checkedOrders()).sort()).toEqual(first.sort());
});

test('a turn takes as many statements for a hundred due orders as for one', async () => {
  const statementsFor = async (orders: number) => {
    await shop.db('schedules').delete();
    const due = await dueOrders('pending', orders, '1 minute');
    const onQuery = vi.fn();
    shop.db.on('query', onQuery);
    await transact(shop.db, null, (trx) => enqueueDueChecks(trx, { ...limits, unsettled: orders }));
    shop.db.off('query', onQuery);
    expect(await checkedOrders()).toEqual(expect.arrayContaining(due));
    return onQuery.mock.calls.length;
  };
  const statements = await statementsFor(1);
  expect(statements).toBeGreaterThan(0);
  expect(await statementsFor(100)).toBe(statements);
});

async function dueOrders(status: string, count: number, ago: string): Promise<string[]> {
  const { rows } = await shop.db.raw(
    `insert into orders (id, service_id, customer_name, customer_email, payment_method, amount, status,
       next_check_at)
     select gen_random_uuid(), (select id from services limit 1), 'Ada', 'ada@example.com', 'stripe', 299900, :status,
       now() - :ago::interval
     from generate_series(1, :count) returning id`,
    { status, count, ago },
  );
  return rows.map(({ id }: { id: string }) => id);
}

async function checkedOrders(): Promise<string[]> {
  const jobs = await shop.db('outbox').where({ job: 'reconcile-order' }).select('payload');
  return jobs.map(({ payload }) => payload.orderId);
}
