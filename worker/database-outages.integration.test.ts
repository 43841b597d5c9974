import { afterEach, expect, inject, test } from 'vitest';
import { createClient } from '../db/database.ts';
import { auditOrder, type PlacedOrder, placeOrder, post, untilStatus } from '../testing/buyer.ts';
import { createTestDatabase } from '../testing/databases.ts';
import { request } from '../testing/request.ts';
import { startOwnPostgres } from '../testing/services/postgres.ts';
import { startTcpProxy } from '../testing/services/tcp-proxy.ts';
import { type Shop, startShop } from '../testing/shop.ts';
import { deliver, succeededEvent } from '../testing/stripe-events.ts';
import { timed } from '../testing/timed.ts';
import { waitFor } from '../testing/wait-for.ts';

const cleanUps: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

test('while the database stalls a call gets 503 after 5 s; afterwards everything works', async () => {
  const postgres = await startOwnPostgres();
  cleanUps.push(() => postgres.remove());
  const shop = await openShop(postgres.url);
  const [order, other] = [await placeOrder(shop), await placeOrder(shop)];
  const callsAtOnce = (about: PlacedOrder) =>
    Promise.all(Array.from({ length: 20 }, () => everyCall(shop, about).map(answerTo)).flat());
  const slowest = (answers: { ms: number }[]) => Math.max(...answers.map(({ ms }) => ms));
  // What as many calls take on this machine now, with a database.
  const usualMs = slowest(await callsAtOnce(other));

  postgres.pause();
  cleanUps.push(() => postgres.resume());
  const answers = await callsAtOnce(order);
  for (const answer of answers) expect(answer).toMatchObject({ status: 503, retryAfter: '5' });
  expect(slowest(answers)).toBeLessThan(7_000 + usualMs);
  expect((await request(`${shop.url}/healthz`)).status).toBe(200);

  postgres.resume();
  await recovers(shop, order);
});

test.each([
  ['full', 'disk_full'],
  ['failing', 'io_error'],
])('a %s disk is an outage, and writes resume afterwards', async (_what, error) => {
  const url = await createTestDatabase(inject('postgresUrl'));
  const shop = await openShop(url);
  const order = await placeOrder(shop);
  const defineRefuse = (body: string) =>
    shop.db.raw(
      `create or replace function refuse() returns trigger language plpgsql as $$ begin ${body}; end $$`,
    );
  await defineRefuse(`raise exception 'could not extend file' using errcode = '${error}'`);
  // One at a time, and never dropped: with locks on both tables it would deadlock with the worker.
  for (const table of ['payment_events', 'orders'])
    await shop.db.raw(`create trigger refuse before insert or update on ${table} execute function refuse()`);
  expect((await deliver(shop, succeededEvent(order))).status).toBe(503);
  expect((await post(shop, '/api/create-payment-intent', auditOrder)).status).toBe(503);
  expect((await request(`${shop.url}/api/orders/${order.orderId}`)).status).toBe(200);

  await defineRefuse('return null');
  await recovers(shop, order);
});

test('a database without free connections is an outage, and everything recovers with them', async () => {
  const url = await createTestDatabase(inject('postgresUrl'));
  const admin = createClient(url, 'test');
  await admin.connect();
  const role = new URL(url).pathname.slice(1);
  await admin.query(`create role ${role} login;
    grant usage on schema public, bullmq to ${role};
    grant all on all tables in schema public, bullmq to ${role};
    grant all on all sequences in schema public, bullmq to ${role}`);
  cleanUps.push(async () => {
    await admin.query(`drop owned by ${role}; drop role ${role}`);
    await admin.end();
  });
  const shop = await openShop(url.replace('postgres@', `${role}@`));
  const order = await placeOrder(shop);

  await admin.query(`alter role ${role} connection limit 0`);
  const endConnections = `select pg_terminate_backend(pid) from pg_stat_activity
    where usename = $1 and state in ('active', 'idle', 'idle in transaction')`;
  await waitFor('not ready', async () => {
    const { status } = await request(`${shop.url}/readyz`);
    // One that was being opened is counted once it is open.
    const { rowCount } = await admin.query(endConnections, [role]);
    return status === 503 && rowCount === 0;
  });
  for (const answer of await Promise.all(everyCall(shop, order).map(answerTo))) {
    expect(answer).toMatchObject({ status: 503, retryAfter: '5' });
  }

  await admin.query(`alter role ${role} connection limit -1`);
  await recovers(shop, order);
});

test('connections dropped silently by a firewall are replaced once one does not answer', async () => {
  const url = new URL(await createTestDatabase(inject('postgresUrl')));
  const proxy = await startTcpProxy(Number(url.port));
  url.port = String(proxy.port);
  const shop = await openShop(url.href);
  cleanUps.push(() => proxy.close());
  // All connections are made once an order has settled.
  await recovers(shop, await placeOrder(shop));
  const order = await placeOrder(shop);

  proxy.forget();
  await recovers(shop, order);
});

test('web and worker start without a database, and serve once it is available', async () => {
  const postgres = await startOwnPostgres();
  cleanUps.push(() => postgres.remove());
  await postgres.stop();
  // Not the sandbox's, whose people are written to the database at the start.
  const identity = {
    OIDC_ISSUER: 'https://id.example',
    OIDC_CLIENT_ID: 'shop',
    OIDC_CLIENT_SECRET: 'secret',
  };
  const shop = await openShop(postgres.url, identity);
  expect((await request(`${shop.url}/readyz`)).status).toBe(503);
  expect((await post(shop, '/api/create-payment-intent', auditOrder)).status).toBe(503);

  await postgres.restart();
  await waitFor('ready', async () => (await request(`${shop.url}/readyz`)).status === 200);
  await recovers(shop, await placeOrder(shop));
});

async function openShop(databaseUrl: string, env: Record<string, string> = {}): Promise<Shop> {
  const shop = await startShop({ env: { DATABASE_URL: databaseUrl, ...env } });
  cleanUps.push(() => shop.close());
  shop.startWorker();
  return shop;
}

/** The provider's retry is taken, and the order settles without help. */
async function recovers(shop: Shop, order: PlacedOrder): Promise<void> {
  const success = succeededEvent(order);
  await waitFor('the event is taken', async () => (await deliver(shop, success)).status === 200);
  await untilStatus(shop, order.orderId, 'paid', 60_000);
}

type Call = [name: string, send: () => Promise<Response>];

function everyCall(shop: Shop, order: PlacedOrder): Call[] {
  const person = { name: 'Ada', email: 'ada@example.com' };
  return [
    ['services', () => request(`${shop.url}/api/services`)],
    ['contact', () => post(shop, '/api/contact', { ...person, message: 'How long does an audit take?' })],
    ['newsletter', () => post(shop, '/api/newsletter/subscribe', { email: person.email })],
    ['purchase', () => post(shop, '/api/create-payment-intent', auditOrder)],
    ['order', () => request(`${shop.url}/api/orders/${order.orderId}`)],
    ['webhook', () => deliver(shop, succeededEvent(order))],
  ];
}

async function answerTo([name, send]: Call) {
  const { result, ms } = await timed(send);
  return { name, status: result.status, retryAfter: result.headers.get('retry-after'), ms };
}
