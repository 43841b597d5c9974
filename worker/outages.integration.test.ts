import { afterEach, describe, expect, inject, test } from 'vitest';
import type { ReadinessReport } from '../core/health.ts';
import { createClient } from '../db/database.ts';
import { connectRedis, type RedisConnection } from '../infra/redis.ts';
import { requireNoEviction } from '../infra/redis-policy.ts';
import { pay, placeOrder, post, readOrder, untilStatus } from '../testing/buyer.ts';
import { createTestDatabase } from '../testing/databases.ts';
import { onlyOn } from '../testing/only-on.ts';
import { request } from '../testing/request.ts';
import { startOwnPostgres } from '../testing/services/postgres.ts';
import { type RedisServer, redisHint, startRedis } from '../testing/services/redis.ts';
import { type Shop, startShop } from '../testing/shop.ts';
import { deliver, succeededEvent } from '../testing/stripe-events.ts';
import { timedBeside } from '../testing/timed.ts';
import { waitFor } from '../testing/wait-for.ts';

const cleanUps: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

// These kill and pause it, so a shared Redis (REDIS_URL) is not enough.
onlyOn('redis', describe)('while Redis is away', () => {
  test('orders and webhooks are accepted at once, and settle within 15 s of its return', async () => {
    const { shop, redis } = await shopOnItsOwnRedis();
    shop.startWorker();
    const before = await placeOrder(shop);
    await pay(shop, before);
    await untilStatus(shop, before.orderId, 'paid');

    await redis.kill();
    const order = await placeOrder(shop);
    const delivered = await timedBeside(
      () => deliver(shop, succeededEvent(order)),
      () => readOrder(shop, order.orderId),
    );
    expect(delivered.result.status).toBe(200);
    expect(delivered.ms).toBeLessThan(1_500 + delivered.usualMs);
    expect(await eventsOf(shop, order.paymentIntentId)).toHaveLength(1);
    await waitFor('readiness is degraded', async () => (await readyz(shop)).status === 'degraded');
    expect((await request(`${shop.url}/readyz`)).status).toBe(200);
    expect((await request(`${shop.url}/healthz`)).status).toBe(200);

    await redis.restart();
    await untilStatus(shop, order.orderId, 'paid', 20_000);
    await waitFor('readiness again', async () => (await readyz(shop)).status === 'ready');
  }, 60_000);

  test('web and worker start without it, and settle within 15 s of its start', async () => {
    const redis = await ownRedis();
    await redis.kill();
    const shop = await startShop({ env: { REDIS_URL: redis.url } });
    cleanUps.push(() => shop.close());
    shop.startWorker();
    const order = await placeOrder(shop);
    expect((await deliver(shop, succeededEvent(order))).status).toBe(200);

    await redis.restart();
    await untilStatus(shop, order.orderId, 'paid', 15_000);
  }, 60_000);

  test.each([
    ['full', ['config', 'set', 'maxmemory', '1'], ['config', 'set', 'maxmemory', '0']],
    ['a read-only replica', ['replicaof', '127.0.0.1', '1'], ['replicaof', 'no', 'one']],
  ])(
    'while it is %s, orders and webhooks are accepted, and settle afterwards',
    async (_, breakIt, mendIt) => {
      const { shop, redis } = await shopOnItsOwnRedis();
      shop.startWorker();
      const client = connectRedis(redis.url, {}, () => {});
      cleanUps.push(() => client.disconnect());
      await command(client, breakIt);
      const order = await placeOrder(shop);
      expect((await deliver(shop, succeededEvent(order))).status).toBe(200);

      await command(client, mendIt);
      await untilStatus(shop, order.orderId, 'paid', 15_000);
    },
    60_000,
  );

  test('a queue emptied with FLUSHALL loses nothing', async () => {
    const { shop, redis } = await shopOnItsOwnRedis();
    const orders = await Promise.all([placeOrder(shop), placeOrder(shop), placeOrder(shop)]);
    for (const order of orders) expect((await deliver(shop, succeededEvent(order))).status).toBe(200);
    await redis.flush();

    shop.startWorker();
    for (const order of orders) await untilStatus(shop, order.orderId, 'paid', 20_000);
  }, 60_000);

  test('due rows of two queues stay due, and no error is unhandled', async () => {
    const { shop, redis } = await shopOnItsOwnRedis();
    const row = { payload: '{}', due_at: new Date(0), pushes: 0 };
    await shop.db('outbox').insert([
      { ...row, job: 'reconcile-order', queue: 'payments' },
      { ...row, job: 'send-email', queue: 'emails' },
    ]);
    await redis.kill();
    await expect(shop.outbox.relay()).rejects.toThrow();
    expect(await shop.db('outbox').where({ pushes: 0 })).toHaveLength(2);

    await redis.restart();
    await waitFor('the relay succeeds', async () => (await shop.outbox.relay()).relayed === 2);
  }, 60_000);

  test('a Redis that evicts keys is refused, and one that does not answer is checked later', async () => {
    const { shop, redis } = await shopOnItsOwnRedis();
    const client = connectRedis(redis.url, {}, () => {});
    cleanUps.push(() => client.disconnect());
    const refused: Error[] = [];
    const check = () => requireNoEviction(redis.url, shop.api.logger, (error) => refused.push(error));
    await check();
    expect(refused).toEqual([]);

    await client.call('config', 'set', 'maxmemory-policy', 'allkeys-lru');
    await check();
    expect(refused.map(({ message }) => message)).toEqual([expect.stringContaining('allkeys-lru')]);

    await redis.kill();
    await check();
    expect(refused).toHaveLength(1);
  }, 60_000);

  test('a Redis that hangs does not make a request hang', async () => {
    const { shop, redis } = await shopOnItsOwnRedis();
    const order = await placeOrder(shop);
    redis.pause();
    cleanUps.push(() => redis.resume());
    const delivered = await timedBeside(
      () => deliver(shop, succeededEvent(order)),
      () => readOrder(shop, order.orderId),
    );
    expect(delivered.result.status).toBe(200);
    expect(delivered.ms).toBeLessThan(1_500 + delivered.usualMs);
  }, 60_000);
});

describe('while PostgreSQL is away', () => {
  test('webhooks and orders get 503 and nothing is stored; afterwards the same process works', async () => {
    const postgres = await startOwnPostgres();
    cleanUps.push(() => postgres.remove());
    const shop = await startShop({ env: { DATABASE_URL: postgres.url } });
    cleanUps.push(() => shop.close());
    shop.startWorker();
    const order = await placeOrder(shop);
    const success = succeededEvent(order);

    await postgres.stop();
    const refused = await deliver(shop, success);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).not.toBeNull();
    const body = {
      serviceId: 'audit',
      customerName: 'Ada',
      customerEmail: 'ada@example.com',
      amount: 299_900,
    };
    const noOrder = await post(shop, '/api/create-payment-intent', body);
    expect(noOrder.status).toBe(503);
    expect(await noOrder.json()).toMatchObject({ message: expect.not.stringContaining('ECONNREFUSED') });
    expect((await request(`${shop.url}/healthz`)).status).toBe(200);
    expect((await request(`${shop.url}/readyz`)).status).toBe(503);

    await postgres.restart();
    expect(await eventsOf(shop, order.paymentIntentId)).toHaveLength(0);
    await waitFor(
      'the provider’s next try is taken',
      async () => (await deliver(shop, success)).status === 200,
    );
    await untilStatus(shop, order.orderId, 'paid', 30_000);
  });

  test('a read-only database is an outage, and its connections are replaced when it is writable again', async () => {
    const databaseUrl = await createTestDatabase(inject('postgresUrl'));
    const shop = await startShop({ env: { DATABASE_URL: databaseUrl } });
    cleanUps.push(() => shop.close());
    const admin = createClient(inject('postgresUrl'), 'test');
    await admin.connect();
    cleanUps.push(() => admin.end());
    const name = new URL(databaseUrl).pathname.slice(1);
    await placeOrder(shop);

    await admin.query(`alter database ${name} set default_transaction_read_only = on`);
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    await waitFor('readiness says so', async () => (await readyz(shop)).status === 'not ready');
    const order = {
      serviceId: 'audit',
      customerName: 'Ada',
      customerEmail: 'ada@example.com',
      amount: 299_900,
    };
    expect((await post(shop, '/api/create-payment-intent', order)).status).toBe(503);

    await admin.query(`alter database ${name} reset default_transaction_read_only`);
    await waitFor('orders are accepted', async () => {
      return (await post(shop, '/api/create-payment-intent', order)).status === 200;
    });
  }, 60_000);

  test('a locked table makes its requests fail with 503, not hang, and no others', async () => {
    const shop = await startShop();
    cleanUps.push(() => shop.close());
    const order = await placeOrder(shop);
    const lock = await shop.db.transaction();
    await lock.raw('lock table payment_events in access exclusive mode');

    const delivered = await timedBeside(
      () => deliver(shop, succeededEvent(order)),
      async () => expect((await request(`${shop.url}/api/services`)).status).toBe(200),
    );
    expect(delivered.result.status).toBe(503);
    expect(delivered.ms).toBeLessThan(6_000 + delivered.usualMs);

    await lock.rollback();
    expect((await deliver(shop, succeededEvent(order))).status).toBe(200);
  }, 30_000);
});

describe('a change is announced live', () => {
  test('the event stream sends the current status and each committed change, also after the listener’s connection was cut', async () => {
    const shop = await startShop();
    cleanUps.push(() => shop.close());
    shop.startWorker();
    const order = await placeOrder(shop);
    const stream = await fetch(`${shop.url}/api/orders/${order.orderId}/events`);
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    let text = '';
    void (async () => {
      for await (const chunk of stream.body ?? []) text += Buffer.from(chunk).toString();
    })().catch(() => {});
    await waitFor('the status now', () => text.includes('"status":"pending"'));

    await shop.db.raw(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'querywright order stream' and datname = current_database()`);
    await pay(shop, order);

    await waitFor('the change', () => text.includes('"status":"paid"'), { timeoutMs: 15_000 });
  }, 40_000);
});

async function ownRedis(): Promise<RedisServer> {
  const redis = await startRedis();
  if (!redis) throw new Error(redisHint);
  cleanUps.push(() => redis.stop());
  return redis;
}

function command(client: RedisConnection, [name = '', ...args]: string[]): Promise<unknown> {
  return client.call(name, ...args);
}

async function shopOnItsOwnRedis(): Promise<{ shop: Shop; redis: RedisServer }> {
  const redis = await ownRedis();
  const shop = await startShop({ env: { REDIS_URL: redis.url } });
  cleanUps.push(() => shop.close());
  await waitFor('the queue answers', async () => (await readyz(shop)).status === 'ready');
  return { shop, redis };
}

async function readyz(shop: Shop): Promise<ReadinessReport> {
  return (await request(`${shop.url}/readyz`)).json();
}

/** The stored successes of this payment. */
function eventsOf(shop: Shop, paymentIntentId: string) {
  return shop
    .db('payment_events')
    .where({ type: 'payment_intent.succeeded' })
    .whereRaw(`payload->'data'->'object'->>'id' = ?`, [paymentIntentId]);
}
