import { afterEach, expect, inject, test } from 'vitest';
import type { OrderNotice } from '../infra/order-stream.ts';
import { placeOrder, untilStatus } from '../testing/buyer.ts';
import { createTestDatabase } from '../testing/databases.ts';
import { onlyOn } from '../testing/only-on.ts';
import { startTcpProxy, type TcpProxy } from '../testing/services/tcp-proxy.ts';
import { type Shop, startShop } from '../testing/shop.ts';
import { deliver, succeededEvent } from '../testing/stripe-events.ts';
import { Visitor } from '../testing/visitor.ts';
import { waitFor } from '../testing/wait-for.ts';

const cleanUps: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

test('connections that only listen are replaced when their server falls silent', async () => {
  const { shop, proxy } = await shopBehindProxy();
  shop.startWorker();
  const queues = inject('backend') === 'postgres' ? shop.config.workerQueues : [];
  const names = ['querywright order stream', ...queues];
  await waitFor('all listen', async () => (await listeners(shop, names)).length === names.length);
  const before = await listeners(shop, names);

  proxy.forget();
  const replaced = async () => {
    const after = (await listeners(shop, names)).filter(({ pid }) => !before.some((old) => old.pid === pid));
    return names.every((name) => after.some((listener) => listener.name === name));
  };
  await waitFor('all listen again', replaced, { timeoutMs: 12_000 });

  const order = await placeOrder(shop);
  const notices: OrderNotice[] = [];
  shop.api.orderStream.subscribe(order.orderId, (notice) => notices.push(notice));
  await deliver(shop, succeededEvent(order));
  const isPaid = (notice: OrderNotice) => typeof notice === 'object' && notice.status === 'paid';
  await waitFor('the notice', () => notices.some(isPaid));
});

onlyOn('postgres', test)(
  'a queue whose connections fall silent while they are opened, at whatever point, serves once it gets answers',
  async () => {
    // Silent from the connect on, and after the handshake, the first and the second answer.
    await Promise.all([0, 1, 2, 3].map(settlesAfterSilence));
  },
);

onlyOn('redis', test)(
  'connections to a Redis that a firewall has forgotten are replaced, and sessions and jobs go on',
  async () => {
    const redisUrl = new URL(inject('redisUrl') ?? '');
    const proxy = await startTcpProxy(Number(redisUrl.port || 6379));
    cleanUps.push(() => proxy.close());
    redisUrl.port = String(proxy.port);
    const shop = await startShop({ env: { REDIS_URL: redisUrl.href } });
    cleanUps.push(() => shop.close());
    shop.startWorker();
    const visitor = new Visitor(shop);
    await visitor.signIn();
    const first = await placeOrder(shop);
    await deliver(shop, succeededEvent(first));
    await untilStatus(shop, first.orderId, 'paid');

    proxy.forget();
    const second = await placeOrder(shop);
    expect((await deliver(shop, succeededEvent(second))).status).toBe(200);
    await waitFor('the session is read again', async () => (await visitor.whoAmI()).status === 200);
    await untilStatus(shop, second.orderId, 'paid', 40_000);
  },
);

async function settlesAfterSilence(answers: number): Promise<void> {
  const { shop, proxy } = await shopBehindProxy(answers);
  shop.startWorker();
  await waitFor('a connection falls silent', () => proxy.silenced() > 0);

  proxy.deliverAll();
  const order = await placeOrder(shop);
  expect((await deliver(shop, succeededEvent(order))).status).toBe(200);
  await untilStatus(shop, order.orderId, 'paid', 30_000);
  const names = shop.config.workerQueues;
  await waitFor('the workers listen', async () => (await listeners(shop, names)).length >= names.length);
}

/** Only what listens and the queue without Redis go through the proxy. */
async function shopBehindProxy(answers?: number): Promise<{ shop: Shop; proxy: TcpProxy }> {
  const url = await createTestDatabase(inject('postgresUrl'));
  const listenUrl = new URL(url);
  const proxy = await startTcpProxy(Number(listenUrl.port), { answers });
  listenUrl.port = String(proxy.port);
  const shop = await startShop({ env: { DATABASE_URL: url, LISTEN_DATABASE_URL: listenUrl.href } });
  cleanUps.push(() => proxy.close());
  cleanUps.push(() => shop.close());
  return { shop, proxy };
}

async function listeners(shop: Shop, names: string[]): Promise<{ name: string; pid: number }[]> {
  return shop
    .db('pg_stat_activity')
    .select('pid', 'application_name as name')
    .whereRaw('datname = current_database()')
    .whereIn('application_name', names);
}
