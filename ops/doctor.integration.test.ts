import { randomUUID } from 'node:crypto';
import { freePort } from '@querywright/sandbox/listen';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createDatabase } from '../db/database.ts';
import { type Config, readConfig } from '../infra/config.ts';
import { onlyOn } from '../testing/only-on.ts';
import { runOps } from '../testing/operator.ts';
import { startOwnPostgres, type TestPostgres } from '../testing/services/postgres.ts';
import { startRedis } from '../testing/services/redis.ts';
import { type Shop, startShop } from '../testing/shop.ts';
import { waitFor } from '../testing/wait-for.ts';
import { judgeSettings } from './doctor/settings.ts';
import type { Finding } from './findings.ts';

let postgres: TestPostgres;
let shop: Shop;
beforeAll(async () => {
  postgres = await startOwnPostgres();
  shop = await startShop({ env: { DATABASE_URL: postgres.url } });
  shop.startWorker();
  await waitFor('both queues are served', async () => (await examine()).found('workers')?.state === 'ok');
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(async () => {
  await shop.close();
  await postgres.remove();
});

test('finds nothing wrong with a healthy shop', async () => {
  const { code, findings } = await examine();
  expect(findings.filter(({ state }) => state !== 'ok')).toEqual([]);
  expect(findings.map(({ check }) => check)).toEqual([
    'settings',
    'database',
    'schema',
    'connections',
    'queue',
    'workers',
    'outbox',
    'webhooks: stripe',
    'webhooks: paypal',
    'mail',
    'clock',
  ]);
  expect(code).toBe(0);
  const { out } = await runOps(shop, ['doctor']);
  expect(out).toMatch(/^settings {10}OK {7}development/);
});

describe('reports', () => {
  test('a migration that was not applied', async () => {
    const [newest] = await shop.db('schema_migrations').orderBy('id', 'desc').limit(1);
    await shop.db('schema_migrations').where({ id: newest.id }).delete();
    const { code, found } = await examine();
    await shop.db('schema_migrations').insert(newest);
    expect(found('schema')).toMatchObject({
      state: 'problem',
      found: `${newest.name} not applied`,
      action: expect.stringContaining('migrate.js'),
    });
    expect(code).toBe(1);
  });

  test('a schema of a later release, which is not a problem', async () => {
    await shop.db('schema_migrations').insert({ name: '9999-later', batch: 99, migration_time: new Date() });
    const { code, found } = await examine();
    await shop.db('schema_migrations').where({ name: '9999-later' }).delete();
    expect(found('schema')).toMatchObject({ state: 'warning', found: expect.stringContaining('9999-later') });
    expect(code).toBe(0);
  });

  test('a database that does not answer, and continues', async () => {
    const db = createDatabase('postgres://localhost:9/none');
    const { code, found } = await examine({ db });
    await db.destroy();
    expect(code).toBe(1);
    expect(found('database')).toMatchObject({
      state: 'problem',
      found: expect.stringContaining('ECONNREFUSED'),
    });
    expect(found('mail')).toMatchObject({ state: 'ok' });
  });

  test('a pooler whose role has no time limits', async () => {
    const db = createDatabase(shop.config.databaseUrl, { isPooled: true });
    const { code, found } = await examine({ db });
    await db.destroy();
    expect(code).toBe(1);
    expect(found('database')).toMatchObject({
      state: 'problem',
      found: expect.stringContaining('without'),
      action: expect.stringContaining('role of DATABASE_URL'),
    });
  });

  test('connections that are used up', async () => {
    const limit = (count: number) =>
      shop.db.raw(`alter database querywright_template connection limit ${count}`);
    await limit(3);
    const { found } = await examine();
    await limit(-1);
    expect(found('connections')).toMatchObject({
      state: 'problem',
      found: expect.stringContaining('of 3 in use'),
    });
  });

  test('a queue that cannot be reached', async () => {
    const { code, found } = await examine({ config: { ...shop.config, redisUrl: 'redis://127.0.0.1:9' } });
    expect(code).toBe(1);
    expect(found('queue')).toMatchObject({ state: 'problem', found: 'The queue is not connected' });
  });

  onlyOn('redis', test)('a Redis that may evict jobs', async () => {
    const redis = await startRedis();
    const admin = new Redis(redis?.url ?? '');
    await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const { found } = await examine({ config: { ...shop.config, redisUrl: redis?.url } });
    admin.disconnect();
    await redis?.stop();
    expect(found('queue')).toMatchObject({
      state: 'problem',
      found: 'maxmemory-policy allkeys-lru: jobs may be evicted',
    });
  });

  test('that no worker runs, and due rows', async () => {
    const idle = await startShop();
    try {
      await idle.db('outbox').insert({
        job: 'reconcile-order',
        queue: 'payments',
        payload: { orderId: randomUUID() },
        due_at: new Date(Date.now() - 3_600_000),
      });
      const { found, findings } = await examine(idle.workerParts);
      expect(findings.filter(({ check }) => check === 'workers')).toMatchObject([
        { state: 'problem', found: 'no worker serves payments' },
        { state: 'problem', found: 'no worker serves emails' },
      ]);
      expect(found('outbox')).toMatchObject({
        state: 'problem',
        found: '1 reconcile-order due and not taken, the oldest for 60 min',
      });
    } finally {
      await idle.close();
    }
  });

  test('dead jobs', async () => {
    const job = { job: 'reconcile-order', queue: 'payments', status: 'dead', due_at: new Date() };
    const [{ id }] = await shop.db('outbox').insert({ ...job, payload: { orderId: randomUUID() } }, ['id']);
    const { code, found } = await examine();
    await shop.db('outbox').where({ id }).delete();
    expect(found('outbox')).toMatchObject({ state: 'warning', found: '1 dead reconcile-order' });
    expect(code).toBe(0);
  });

  test('a webhook that is not registered', async () => {
    await shop.sandbox.stripeClient.webhookEndpoints.del('we_sandbox');
    const { code, found } = await examine();
    await runOps(shop, ['webhooks', 'check', '--create', '--yes']);
    expect(code).toBe(1);
    expect(found('webhooks: stripe')).toMatchObject({
      state: 'problem',
      action: expect.stringContaining('webhooks check --create'),
    });
  });

  test('a mail server that does not answer', async () => {
    const mail = { ...shop.config.mail, smtpUrl: 'smtp://localhost:9' };
    const { code, found } = await examine({ config: { ...shop.config, mail } });
    expect(code).toBe(1);
    expect(found('mail')).toMatchObject({ state: 'problem', action: expect.stringContaining('SMTP_URL') });
  });

  test('a clock that cannot be read, and why', async () => {
    const paypal = { ...shop.config.paypal, apiUrl: `http://localhost:${await freePort()}` };
    const { found } = await examine({ config: { ...shop.config, paypal } });
    expect(found('clock')).toMatchObject({
      state: 'warning',
      found: expect.stringMatching(/^the clock of PayPal cannot be read: .*ECONNREFUSED/),
    });
  });

  test('a clock that is wrong', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 });
    const { code, findings } = await examine();
    expect(code).toBe(1);
    const clocks = findings.filter(({ check }) => check === 'clock');
    expect(clocks.map(({ state, found }) => [state, found.replace(/\d+ s/, 'n s')])).toEqual(
      ['the database', 'Stripe', 'PayPal'].map((name) => ['problem', `this machine is n s ahead of ${name}`]),
    );
  });
});

describe('judges settings', () => {
  const database = { DATABASE_URL: 'postgres://localhost/shop' };

  test('outside production by what production would refuse, once a real provider is set', () => {
    const config = readConfig({
      ...database,
      STRIPE_SECRET_KEY: 'sk_test_1',
      PUBLIC_URL: 'http://shop.example',
    });
    const found = judgeSettings(config).map((verdict) => verdict.found);
    expect(found).toContain('PUBLIC_URL must be https');
    expect(found).toContain('STAFF_EMAIL is not set');
  });

  test('in production by what is missing to operate it', () => {
    const config = { ...readConfig(database), production: true, logLevel: 'silent' };
    expect(judgeSettings(config).map(({ state, found }) => [state, found.split(' ')[0]])).toEqual([
      ['warning', 'METRICS_PORT'],
      ['warning', 'LOG_LEVEL'],
    ]);
  });
});

async function examine(changed: Partial<{ config: Config; db: Shop['db'] }> = {}) {
  const parts = { workerParts: { ...shop.workerParts, ...changed } };
  const { code, out } = await runOps(parts, ['doctor', '--json']);
  const findings: Finding[] = JSON.parse(out);
  return { code, findings, found: (name: string) => findings.find(({ check }) => check === name) };
}
