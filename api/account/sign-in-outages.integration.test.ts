import { createServer, type Socket } from 'node:net';
import { freePort, listen } from '@querywright/sandbox/listen';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { createIdentityProvider } from '../../infra/identity.ts';
import { connectRedis, failFast } from '../../infra/redis.ts';
import { createSessions } from '../../infra/sessions.ts';
import { auditOrder } from '../../testing/buyer.ts';
import { onlyOn } from '../../testing/only-on.ts';
import { redisHint, startRedis } from '../../testing/services/redis.ts';
import { startTcpProxy } from '../../testing/services/tcp-proxy.ts';
import { type Shop, startShop, withShop } from '../../testing/shop.ts';
import { timedBeside } from '../../testing/timed.ts';
import { startSecondWeb, Visitor } from '../../testing/visitor.ts';
import { waitFor } from '../../testing/wait-for.ts';

const shop = await withShop();
const cleanUps: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

test('while the identity provider is away, sign-in is a 503 page and everything else works', async () => {
  const issuer = `http://localhost:${await freePort()}`;
  const identity = createIdentityProvider({ ...shop.config.oidc, issuer }, shop.url);
  const web = await startWeb({ ...shop.api, identity });
  const page = await new Visitor(web).get('/api/login');
  expect(page.status).toBe(503);
  expect(page.headers.get('content-type')).toContain('text/html');
  expect(page.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await page.text()).toContain('Sign-in is temporarily unavailable');

  const signedInBefore = new Visitor(shop);
  await signedInBefore.signIn();
  const here = new Visitor(web);
  for (const cookie of signedInBefore.cookies) here.cookies.set(...cookie);
  expect((await here.whoAmI()).status, 'sessions live on').toBe(200);
  expect((await here.get('/api/enrollment')).status).toBe(200);
  expect((await here.post('/api/create-payment-intent', auditOrder)).status).toBe(200);
  expect((await here.get('/api/logout')).headers.get('location')).toBe('/');
});

describe('while sessions cannot be read', () => {
  test.each(['is gone', 'hangs'])(
    'because the store %s, a signed-in client is not treated as a guest',
    async (how) => {
      const visitor = new Visitor(shop);
      await visitor.signIn();
      const callback = await visitor.goThroughSignIn('person-pending');
      const web = await startWeb({ ...shop.api, sessions: await sessionsAt(await brokenPort(how)) });
      const here = new Visitor(web);
      for (const cookie of visitor.cookies) here.cookies.set(...cookie);
      here.cookies.set('signed_in', '1');

      for (const path of ['/api/auth/user', '/api/enrollment']) {
        const refused = await timedBeside(
          () => here.get(path),
          () => new Visitor(shop).get(path),
        );
        expect(refused.result.status, path).toBe(503);
        expect(await refused.result.json()).toMatchObject({ message: expect.any(String) });
        expect(refused.ms).toBeLessThan(1_800 + refused.usualMs);
      }
      expect(here.cookies.get('signed_in'), 'and the browser still knows better').toBe('1');
      expect((await here.post('/api/enrollment', {})).status).toBe(503);
      for (const path of [
        '/api/login',
        new URL(callback).pathname + new URL(callback).search,
        '/api/logout',
      ]) {
        const page = await here.get(path);
        expect(page.status, path).toBe(503);
        expect(page.headers.get('content-type')).toContain('text/html');
      }
      const order = await here.post('/api/create-payment-intent', auditOrder);
      expect(order.status, 'guests buy').toBe(200);
    },
  );
});

test('a session that was read in time counts, though the process stood still when it arrived', async () => {
  const visitor = new Visitor(shop);
  await visitor.signIn();
  const { store } = shop.api.sessions;
  const { get } = store;
  cleanUps.push(() => Object.assign(store, { get }));
  store.get = (...args) => {
    get.apply(store, args);
    // As under a CPU limit. The request has left, and the answer comes during the pause.
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500));
  };
  expect((await visitor.whoAmI()).status).toBe(200);
});

test('while the database is away, the way back from the provider is a 503 page', async () => {
  const visitor = new Visitor(shop);
  const callback = await visitor.goThroughSignIn('person-pending');
  const away = () => Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }));
  const web = await startWeb({ ...shop.api, db: Object.assign(() => {}, { transaction: away }) as never });
  const here = new Visitor(web);
  for (const cookie of visitor.cookies) here.cookies.set(...cookie);
  const page = await here.get(new URL(callback).pathname + new URL(callback).search);
  expect(page.status).toBe(503);
  expect(page.headers.get('content-type')).toContain('text/html');
});

onlyOn('redis', test)('the first sign-in finds its session, however soon after the start', async () => {
  const redisUrl = new URL(inject('redisUrl') ?? '');
  const proxy = await startTcpProxy(Number(redisUrl.port || 6379), { delayMs: 300 });
  cleanUps.push(() => proxy.close());
  redisUrl.port = String(proxy.port);
  const late = await startShop({ env: { REDIS_URL: redisUrl.href } });
  cleanUps.push(() => late.close());
  expect(await new Visitor(late).signIn()).toBe('/');
});

// This one is paused and killed, so a shared Redis (REDIS_URL) is not enough.
onlyOn('redis', test)('a Redis that hangs, is killed and comes back needs no restart of ours', async () => {
  const redis = await startRedis();
  if (!redis) throw new Error(redisHint);
  cleanUps.push(() => redis.stop());
  const sessions = await sessionsAt(Number(new URL(redis.url).port));
  const visitor = new Visitor(await startWeb({ ...shop.api, sessions }));
  const answers = async (status: number) => (await visitor.get('/api/auth/user')).status === status;
  const elsewhere = new Visitor(shop);
  await elsewhere.signIn();
  for (const cookie of elsewhere.cookies) visitor.cookies.set(...cookie);
  await waitFor('sessions are read', () => answers(401));

  redis.pause();
  const paused = await timedBeside(
    () => answers(503),
    () => elsewhere.get('/api/auth/user'),
  );
  expect(paused.result).toBe(true);
  expect(paused.ms).toBeLessThan(1_800 + paused.usualMs);
  redis.resume();
  await waitFor('sessions are read again', () => answers(401));

  await redis.kill();
  await waitFor('it is missed', () => answers(503));
  await redis.restart();
  await waitFor('sessions are read again', () => answers(401));
});

async function startWeb(parts: Shop['api']) {
  const web = await startSecondWeb(parts);
  cleanUps.push(() => web.close());
  return web;
}

/** The run's kind of session store, at a port of localhost. */
async function sessionsAt(port: number) {
  const ignore = () => {};
  const redis =
    inject('backend') === 'redis' ? connectRedis(`redis://127.0.0.1:${port}`, failFast, ignore) : undefined;
  const sessions = createSessions({
    ...shop.config,
    db: shop.db,
    databaseUrl: `postgres://postgres@127.0.0.1:${port}/none`,
    redis,
    logger: shop.api.logger,
  });
  cleanUps.push(async () => {
    await sessions.close();
    redis?.disconnect();
  });
  return sessions;
}

async function brokenPort(how: string): Promise<number> {
  if (how === 'is gone') return freePort();
  const silent = createServer((socket) => socket.on('error', () => {}).resume());
  const port = await listen(silent);
  const sockets = new Set<Socket>();
  silent.on('connection', (socket) => sockets.add(socket));
  cleanUps.push(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  return port;
}
