import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { createRateLimits, type RateLimitStore } from '../../infra/rate-limits.ts';
import { auditOrder, post } from '../../testing/buyer.ts';
import { type Shop, startShop } from '../../testing/shop.ts';

const PATH = '/api/create-payment-intent';
const shops: Shop[] = [];
afterEach(() => Promise.all(shops.splice(0).map((shop) => shop.close())));

test('a network that orders from many addresses is limited as a whole', async () => {
  const shop = await start({ 'create-order-network': { points: 3, duration: 600, perProcess: true } });
  const addresses = [1, 2, 3, 4].map((host) => `198.51.100.${host}`);
  expect(await statuses(shop, addresses)).toEqual([200, 200, 200, 429]);
  expect(await statuses(shop, ['2001:db8:7::1', '203.0.113.1'])).toEqual([200, 200]);
});

test('above the overall ceiling only networks without earlier orders may order', async () => {
  const shop = await start({
    'create-order-all': { points: 2, duration: 600, perProcess: true },
    'create-order-newcomers': { points: 1, duration: 600, perProcess: true },
  });
  expect(await statuses(shop, ['198.51.100.1', '198.51.100.1'])).toEqual([200, 200]);
  const refused = await order(shop, '198.51.100.1');
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await refused.json()).toMatchObject({ code: 'orders_paused' });

  expect(await statuses(shop, ['203.0.113.1', '203.0.113.1', '192.0.2.1'])).toEqual([200, 503, 503]);
});

test('an order that the overall ceiling refuses is not counted in the store', async () => {
  const shop = await start({
    'create-order-all': { points: 1, duration: 600, perProcess: true },
    'create-order-newcomers': { points: 1, duration: 600, perProcess: true },
  });
  expect(await statuses(shop, ['198.51.100.1', '203.0.113.1', '192.0.2.1'])).toEqual([200, 200, 503]);
  const counted: string[] = await shop.db('rate_limits').pluck('key');
  expect(counted.map((key) => key.replace(/^.*:/, '')).sort()).toEqual(['198.51.100.1', '203.0.113.1']);
});

test('an order that fails on our side does not count towards its network', async () => {
  const shop = await start({ 'create-order-network': { points: 1, duration: 600, perProcess: true } });
  shop.sandbox.faults.add({ target: 'stripe', mode: 'error' });
  expect(await statuses(shop, ['198.51.100.1', '198.51.100.2'])).toEqual([503, 503]);
  shop.sandbox.faults.clear();
  expect(await statuses(shop, ['198.51.100.3', '198.51.100.4'])).toEqual([200, 429]);
});

test('orders in a person’s name do not keep that person from ordering', async () => {
  const shop = await start({});
  for (let n = 0; n < 40; n++) {
    expect((await order(shop, `198.51.${n}.1`, 'victim@example.com')).status).toBe(200);
  }
  expect((await order(shop, '203.0.113.1', 'victim@example.com')).status).toBe(200);
});

test.each([
  ['/api/contact', 'contact-network', { name: 'Eve', email: 'eve@example.com', message: 'Hello?' }],
  ['/api/newsletter/subscribe', 'newsletter-network', { email: 'eve@example.com' }],
] as const)('%s: one customer’s addresses share a limit, others are served', async (path, name, body) => {
  const shop = await start({ [name]: { points: 2, duration: 600, perProcess: true } });
  const statusOf = async (address: string, n: number) => {
    const email = `eve${n}@example.com`;
    return (await post(shop, path, { ...body, email }, { 'x-forwarded-for': address })).status;
  };
  const answers = [];
  for (let n = 0; n < 3; n++) answers.push(await statusOf(`2001:db8:9:${n}::1`, n));
  expect(answers).toEqual([200, 200, 429]);
  expect(await statusOf('203.0.113.1', 9)).toBe(200);
});

test('a message that the overall limit refuses is not counted in the store', async () => {
  const shop = await start({ 'contact-all': { points: 1, duration: 600 } });
  const statusOf = async (address: string) => {
    const body = { name: 'Eve', email: 'eve@example.com', message: 'Hello?' };
    return (await post(shop, '/api/contact', body, { 'x-forwarded-for': address })).status;
  };
  const addresses = ['198.51.100.1', '203.0.113.1', '192.0.2.1'];
  const answers = [];
  for (const address of addresses) answers.push(await statusOf(address));
  // The second one finds out, for this process.
  expect(answers).toEqual([200, 503, 503]);
  const counted: string[] = await shop.db('rate_limits').where('key', 'like', '%:contact:%').pluck('key');
  expect(counted.map((key) => key.replace(/^.*:/, '')).sort()).toEqual(['198.51.100.1', '203.0.113.1']);
});

test('the sign-ins that one customer’s addresses begin share a limit', async () => {
  const shop = await start({ 'login-network': { points: 2, duration: 600, perProcess: true } });
  const begin = async (address: string) => {
    const headers = { 'x-forwarded-for': address };
    return (await fetch(`${shop.url}/api/login`, { headers, redirect: 'manual' })).status;
  };
  const answers = [];
  for (let n = 0; n < 3; n++) answers.push(await begin(`2001:db8:10:${n}::1`));
  expect(answers).toEqual([303, 303, 429]);
  expect(await begin('203.0.113.1')).toBe(303);
});

async function start(overrides: RateLimitStore['overrides']): Promise<Shop> {
  const shop = await startShop({
    env: { TRUST_PROXY: 'true' },
    parts: ({ db }) => ({
      rateLimits: createRateLimits({
        db,
        redis: undefined,
        queuePrefix: 'test',
        ...(overrides && { overrides }),
      }),
    }),
  });
  shops.push(shop);
  return shop;
}

async function statuses(shop: Shop, addresses: string[]): Promise<number[]> {
  const answers = [];
  for (const address of addresses) answers.push((await order(shop, address)).status);
  return answers;
}

function order(shop: Shop, address: string, customerEmail = `${randomUUID()}@example.com`) {
  return post(shop, PATH, { ...auditOrder, customerEmail }, { 'x-forwarded-for': address });
}
