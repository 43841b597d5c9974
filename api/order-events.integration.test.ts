import { once } from 'node:events';
import http from 'node:http';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type PlacedOrder, placeOrder } from '../testing/buyer.ts';
import { sendRaw } from '../testing/raw-request.ts';
import { request } from '../testing/request.ts';
import { type Shop, startShop } from '../testing/shop.ts';
import { waitFor } from '../testing/wait-for.ts';

const counts = { perAddress: 6, perNetwork: 7, perOrder: 4, perProcess: 8 };
const limits = { ...counts, heartbeatMs: 200, maxAgeMs: 60_000 };

let shop: Shop;
beforeAll(async () => {
  shop = await startShop({ env: { TRUST_PROXY: 'true' }, parts: () => ({ streamLimits: limits }) });
});
afterAll(() => shop.close());

const streams: Stream[] = [];
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close();
  await waitFor('the streams are closed', async () => (await open(await placeOrder(shop))).status === 200);
  for (const stream of streams.splice(0)) stream.close();
});

test('one query serves all watchers of an order, and heartbeats need none', async () => {
  const order = await placeOrder(shop);
  const watchers = [await open(order, '198.51.100.1'), await open(order, '198.51.100.2')];
  for (const { text } of watchers) await waitFor('the status', () => text().includes('"pending"'));
  let reads = 0;
  const count = ({ sql }: { sql: string }) => {
    if (/from "?orders"?/.test(sql)) reads += 1;
  };
  shop.db.on('query', count);
  const heartbeats = () => Math.min(...watchers.map(({ text }) => text().split(': heartbeat').length - 1));
  // The notice that the order was placed may come late, and is read.
  await waitFor('three heartbeats without a query', async () => {
    reads = 0;
    const before = heartbeats();
    await waitFor('heartbeats', () => heartbeats() >= before + 3);
    return reads === 0;
  });

  await shop.db('orders').where({ id: order.orderId }).update({ status: 'processing' });
  await shop.db.raw('select pg_notify(?, ?)', ['order_changed', order.orderId]);
  for (const { text } of watchers) await waitFor('the change', () => text().includes('"processing"'));
  expect(reads).toBe(1);
  shop.db.off('query', count);
});

test('the streams of an order, of an address and of the process are limited', async () => {
  const [first, second, third] = [await placeOrder(shop), await placeOrder(shop), await placeOrder(shop)];
  const statuses = async (order: PlacedOrder, count: number, address: (n: number) => string) => {
    const opened = [];
    for (let n = 0; n < count; n++) opened.push((await open(order, address(n))).status);
    return opened;
  };
  expect(await statuses(first, 5, (n) => `198.51.100.${n}`)).toEqual([200, 200, 200, 200, 429]);
  expect(await statuses(second, 3, (n) => `2001:db8::${n}`)).toEqual([200, 200, 200]);
  expect(await statuses(third, 2, (n) => `203.0.113.${n}`)).toEqual([200, 503]);
});

test('an order is the same in capital letters', async () => {
  const { orderId, ...order } = await placeOrder(shop);
  const statuses = [];
  for (let n = 0; n < 5; n++) {
    const id = n % 2 === 0 ? orderId.toUpperCase() : orderId;
    statuses.push((await open({ ...order, orderId: id }, `198.51.100.${n}`)).status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 429]);
});

test('an IPv6 network counts as one address', async () => {
  const orders = [await placeOrder(shop), await placeOrder(shop)];
  const statuses = [];
  for (let n = 0; n < 7; n++) {
    statuses.push((await open(orders[n % 2] as PlacedOrder, `2001:db8:7::${n + 1}`)).status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429]);
});

test('one customer’s addresses share a limit, and leave room for others', async () => {
  const orders = [await placeOrder(shop), await placeOrder(shop)];
  const statuses = [];
  for (let n = 0; n < 8; n++) {
    statuses.push((await open(orders[n % 2] as PlacedOrder, `2001:db8:8:${n}::1`)).status);
  }
  expect(statuses).toEqual([...Array(7).fill(200), 429]);
  expect((await open(orders[1] as PlacedOrder, '203.0.113.1')).status).toBe(200);
});

test('a stream does not keep what its client sends', async () => {
  const { orderId } = await placeOrder(shop);
  const head = `GET /api/orders/${orderId}/events HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const pieces = '1\r\n \r\n'.repeat(5_000);
  expect((await sendRaw(shop.url, head + pieces, { untilClosed: true })).closed).toBe(true);
});

test('a client that hangs up before its stream opens counts no longer', async () => {
  const order = await placeOrder(shop);
  const release = await lockOrders();
  const calls = Array.from({ length: counts.perOrder }, (_, n) => {
    const headers = { 'x-forwarded-for': `198.51.100.${n}` };
    const call = http.get(`${shop.url}/api/orders/${order.orderId}/events`, { agent: false, headers });
    return call.on('error', () => {});
  });
  await waitFor('the orders are being read', async () => (await readsOfOrders()) > 0);
  // Others, such as the sandbox's webhooks, may connect meanwhile.
  const ports = calls.map(({ socket }) => socket?.localPort ?? 0);
  await waitFor('all are connected', () => ports.every((port) => shop.callers.has(port)));
  for (const call of calls) call.destroy();
  await waitFor('the server notices', () => !ports.some((port) => shop.callers.has(port)));
  await release();
  await waitFor('no order is being read', async () => (await readsOfOrders()) === 0);

  const opened = [];
  for (let n = 0; n < counts.perOrder; n++) opened.push((await open(order, `203.0.113.${n}`)).status);
  expect(opened).toEqual(Array(counts.perOrder).fill(200));
});

test('HEAD opens no stream', async () => {
  const { orderId } = await placeOrder(shop);
  const answer = await request(`${shop.url}/api/orders/${orderId}/events`, { method: 'HEAD' });
  expect(answer.status).toBe(405);
  expect(answer.headers.get('allow')).toBe('GET');
});

/** Lets reads of orders wait until the returned function is called. */
async function lockOrders(): Promise<() => Promise<unknown>> {
  const trx = await shop.db.transaction();
  await trx.raw('lock table orders in access exclusive mode');
  return () => trx.rollback();
}

async function readsOfOrders(): Promise<number> {
  const { rows } = await shop.db.raw(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
       and query ~ 'from orders'`,
  );
  return rows.length;
}

interface Stream {
  status: number;
  text(): string;
  close(): void;
}

async function open({ orderId }: PlacedOrder, address = '192.0.2.1'): Promise<Stream> {
  const call = http.get(`${shop.url}/api/orders/${orderId}/events`, {
    agent: false,
    headers: { 'x-forwarded-for': address },
  });
  const [answer] = (await once(call, 'response')) as [http.IncomingMessage];
  let text = '';
  answer.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  answer.on('error', () => {});
  const stream = { status: answer.statusCode ?? 0, text: () => text, close: () => call.destroy() };
  streams.push(stream);
  return stream;
}
