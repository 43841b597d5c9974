import { randomUUID } from 'node:crypto';
import { afterAll, expect, test, vi } from 'vitest';
import { readConnections } from '../db/connections.ts';
import { createDatabase, type Database } from '../db/database.ts';
import { pay, placeOrder, untilStatus } from '../testing/buyer.ts';
import { type Shop, startShop } from '../testing/shop.ts';
import { waitFor } from '../testing/wait-for.ts';
import { connectionsPerProcess, countWorkers, reportConnections } from './connection-budget.ts';

const POOL_MAX = 3;
const shops: Shop[] = [];
afterAll(async () => {
  for (const shop of shops) await shop.close();
});

test('a process that uses all of its pools holds as many connections as its budget says', async () => {
  const web = await open();
  const before = await countConnections(web.db, 'web');
  const { db, outbox, sessions } = web.api;
  const busy = (count: number, call: () => Promise<unknown>) =>
    Promise.all(Array.from({ length: count }, call));
  await Promise.all([
    busy(20, async () => db.raw('select pg_sleep(0.2)')),
    busy(20, () => new Promise((resolve) => sessions.store.get('none', resolve))),
    busy(20, () => outbox.queue('payments').getJobCounts('waiting')),
    busy(20, () => outbox.queue('emails').getJobCounts('waiting')),
  ]);
  const held = await countConnections(web.db, 'web');
  expect(before).toBeLessThan(held);
  expect(held).toBe(connectionsPerProcess(web.config).web);
});

test('a worker under load holds no more connections than its budget says', async () => {
  const shop = await open();
  shop.startWorker();
  const orders = await Promise.all(Array.from({ length: 12 }, () => placeOrder(shop)));
  let most = 0;
  const watching = setInterval(async () => {
    most = Math.max(most, await countConnections(shop.db, 'worker').catch(() => 0));
  }, 20);
  try {
    await Promise.all(orders.map((order) => pay(shop, order)));
    for (const { orderId } of orders) await untilStatus(shop, orderId, 'paid');
  } finally {
    clearInterval(watching);
  }
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(connectionsPerProcess(shop.config).worker);
});

test('the connection budget is logged at start, as a warning if it exceeds the server’s limit', async () => {
  const shop = await open();
  shop.startWorker();
  const { outbox } = shop;
  await waitFor('the worker is seen', async () => (await countWorkers((name) => outbox.queue(name))) === 1);
  const each = connectionsPerProcess(shop.config);
  const counted = { webProcesses: 1, workers: 1, demand: each.web + each.worker };

  const enough = await reportOf(shop);
  expect(enough.info).toHaveBeenCalledWith(expect.objectContaining(counted), 'database connections');
  expect(enough.warn).not.toHaveBeenCalled();

  const name = new URL(shop.config.databaseUrl).pathname.slice(1);
  const { rows } = await shop.db.raw('select count(*)::int as used from pg_stat_activity');
  const limit = Math.ceil((rows[0].used + 1) / 0.9);
  await shop.db.raw(`alter database ${name} connection limit ${limit}`);
  const many = { ...shop.config, databasePoolMax: limit };
  const short = await reportOf(shop, many);
  expect(short.warn).toHaveBeenCalledWith(
    expect.objectContaining({ limit }),
    expect.stringContaining('may run out'),
  );
});

test('processes that connect as another role are counted, too', async () => {
  const shop = await open();
  const role = `pooled_${randomUUID().slice(0, 8)}`;
  await shop.db.raw(`create role ${role} login password 'pooled'`);
  const url = new URL(shop.config.databaseUrl);
  [url.username, url.password] = [role, 'pooled'];
  const db = createDatabase(url.href, { isPooled: true, poolMax: 1 });
  const seen = await readConnections(db);
  await db.destroy();
  await shop.db.raw(`drop role ${role}`);
  expect(seen.webProcesses).toBe(1);
  expect(seen.used).toBeGreaterThan(1);
});

async function open(): Promise<Shop> {
  const shop = await startShop({ env: { DATABASE_POOL_MAX: String(POOL_MAX) }, poolMax: POOL_MAX });
  shops.push(shop);
  await waitFor('it listens', async () => (await readConnections(shop.db)).webProcesses === 1);
  return shop;
}

/** The report of a process with this shop's connections. */
async function reportOf(shop: Shop, config = shop.config) {
  const logger = { ...shop.workerParts.logger, info: vi.fn(), warn: vi.fn(), debug: vi.fn() };
  const steps: (() => unknown)[] = [];
  reportConnections({ ...shop.workerParts, config, logger, onClose: (step) => steps.push(step) }, 1);
  await waitFor('it is logged', () => logger.info.mock.calls.length + logger.warn.mock.calls.length > 0);
  for (const step of steps) await step();
  return logger;
}

/** Web and worker of a shop share one process: each counts without what only the other one opens. */
async function countConnections(db: Database, process: 'web' | 'worker'): Promise<number> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `select application_name as name from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend'`,
  );
  const others = { web: /^$/, worker: /^querywright (?:sessions|order stream)$/ };
  return rows.filter(({ name }) => !others[process].test(name)).length;
}
