import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { auditOrder, post } from '../../testing/buyer.ts';
import { request } from '../../testing/request.ts';
import { withShop } from '../../testing/shop.ts';

const shop = await withShop();

const PATH = '/api/create-payment-intent';
let ordersBefore = 0;
beforeEach(async () => {
  ordersBefore = await countOrders();
});
afterEach(async () => {
  expect(await countOrders(), 'nothing is stored').toBe(ordersBefore);
});

describe('a field that is wrong is named, with 400', () => {
  test.each<[string, string, unknown]>([
    ['no service', 'serviceId', undefined],
    ['an empty service', 'serviceId', ''],
    ['an unknown service', 'serviceId', 'consulting'],
    ['the id of no service', 'serviceId', '00000000-0000-4000-8000-000000000000'],
    ['no name', 'customerName', undefined],
    ['an empty name', 'customerName', '  '],
    ['a name that is a number', 'customerName', 7],
    ['a name that is an object', 'customerName', { $ne: '' }],
    ['a name of 10,000 characters', 'customerName', 'x'.repeat(10_000)],
    ['a name with CR LF', 'customerName', 'Ada\r\nBcc: all@example.com'],
    ['a name with NUL', 'customerName', 'A\u0000da'],
    ['a name with an unpaired surrogate', 'customerName', 'A\ud800da'],
    ['no e-mail', 'customerEmail', undefined],
    ['an e-mail without @', 'customerEmail', 'ada.example.com'],
    ['an e-mail with CR LF', 'customerEmail', 'ada@example.com\r\nBcc: eve@example.com'],
    ['two e-mails', 'customerEmail', 'ada@example.com,eve@example.com'],
    ['an e-mail with NUL', 'customerEmail', 'ada\u0000@example.com'],
    ['a list of e-mails', 'customerEmail', ['ada@example.com']],
    ['no amount', 'amount', undefined],
    ['an amount in words', 'amount', '299900'],
    ['a negative amount', 'amount', -299_900],
    ['a fractional amount', 'amount', 2999.5],
    ['a huge amount', 'amount', 2 ** 53],
    ['an amount of nothing', 'amount', 0],
    ['a field we do not know', 'status', 'paid'],
  ])('%s', async (_what, field, value) => {
    const answer = await post(shop, PATH, { ...auditOrder, [field]: value });
    const body = await answer.json();
    expect(answer.status, JSON.stringify(body)).toBe(400);
    expect(Object.keys(body.fields)).toContain(field);
    expect(body.message).toContain(body.fields[field]);
    expect(body.code).toMatch(/^(validation_failed|service_not_found)$/);
  });

  test.each(['__proto__', 'constructor', 'prototype'])('the key %s', async (key) => {
    const text = JSON.stringify(auditOrder).replace('{', `{"${key}":{"admin":true},`);
    const answer = await post(shop, PATH, text);
    expect(answer.status).toBe(400);
    expect((await answer.json()).fields).toHaveProperty([key], 'Unknown field');
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });
});

test.each([undefined, ''])(
  'without a service (%j) the message says so, without the field’s name',
  async (serviceId) => {
    const answer = await post(shop, PATH, { ...auditOrder, serviceId });
    expect((await answer.json()).message).toBe('No service selected');
  },
);

test('an amount that differs from the price is 409 with the right price', async () => {
  const answer = await post(shop, PATH, { ...auditOrder, amount: 100 });
  expect(answer.status).toBe(409);
  expect(await answer.json()).toMatchObject({
    code: 'price_changed',
    message: 'The price of Database Audit is $2,999.00.',
  });
});

describe('a body that cannot be read', () => {
  test.each(['{"serviceId":', 'null', '"text"', '[]', '42', '{"a":1}}'])('%s is 400', async (body) => {
    const answer = await post(shop, PATH, body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ message: expect.any(String) });
  });

  test('no body at all is 400', async () => {
    const answer = await request(`${shop.url}${PATH}`, { method: 'POST' });
    expect(answer.status).toBe(400);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'the content type %s is 415',
    async (type) => {
      const answer = await post(shop, PATH, JSON.stringify(auditOrder), { 'content-type': type });
      expect(answer.status).toBe(415);
    },
  );

  test('another charset is 415, an unknown encoding too', async () => {
    const body = JSON.stringify(auditOrder);
    const charset = await post(shop, PATH, body, { 'content-type': 'application/json; charset=x-klingon' });
    const encoding = await post(shop, PATH, body, { 'content-encoding': 'zip' });
    expect([charset.status, encoding.status]).toEqual([415, 415]);
  });

  test('a body over the limit is 413', async () => {
    const answer = await post(shop, PATH, { ...auditOrder, customerName: 'x'.repeat(40_000) });
    expect(answer.status).toBe(413);
  });
});

describe('orders', () => {
  test.each(['1', 'abc', "1' or '1'='1", '%00', '..%2f..%2fetc'])('the id %s is 400', async (id) => {
    const answer = await request(`${shop.url}/api/orders/${encodeURI(id)}`);
    expect(answer.status).toBe(400);
    expect((await answer.json()).message).toMatch(/Order id must be a UUID/);
  });

  test('a broken escape is 400', async () => {
    const answer = await request(`${shop.url}/api/orders/%E0%A4%A`);
    expect(answer.status).toBe(400);
  });

  test.each(['', '/events'])('an unknown id%s is 404', async (suffix) => {
    const answer = await request(`${shop.url}/api/orders/${crypto.randomUUID()}${suffix}`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: 'not_found', message: 'Order not found' });
  });
});

describe('confirm-payment', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['no order id', { paymentIntentId: 'pi_1' }, 'orderId'],
    ['a foreign kind of id', { orderId: crypto.randomUUID(), paymentIntentId: 'ch_1' }, 'paymentIntentId'],
    [
      'a path for an id',
      { orderId: crypto.randomUUID(), paymentIntentId: 'pi_1/../../events' },
      'paymentIntentId',
    ],
  ])('%s is 400', async (_what, body, field) => {
    const answer = await post(shop, '/api/confirm-payment', body);
    expect(answer.status).toBe(400);
    expect(Object.keys((await answer.json()).fields)).toContain(field);
  });

  test('an unknown order is 404', async () => {
    const body = { orderId: crypto.randomUUID(), paymentIntentId: 'pi_1' };
    expect((await post(shop, '/api/confirm-payment', body)).status).toBe(404);
  });
});

describe('paths, methods and queries', () => {
  test.each(['/api/nothing', '/api/Services', '/API/services'])('%s is 404 in JSON', async (path) => {
    const answer = await request(`${shop.url}${path}`);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toContain('application/json');
  });

  test.each([
    ['GET', PATH, 'POST'],
    ['DELETE', '/api/services', 'GET, HEAD'],
    ['PUT', `/api/orders/${crypto.randomUUID()}`, 'GET, HEAD'],
    ['GET', '/api/confirm-payment', 'POST'],
  ])('%s %s is 405 and says what is allowed', async (method, path, allowed) => {
    const answer = await request(`${shop.url}${path}`, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe(allowed);
  });

  test('a query that the call does not know is 400', async () => {
    const answer = await request(`${shop.url}/api/services?slug=audit`);
    expect(answer.status).toBe(400);
    expect((await answer.json()).message).toContain('slug');
  });

  test.each(['short', 'x'.repeat(200), 'with space and more'])(
    'the Idempotency-Key %j is 400',
    async (key) => {
      const answer = await post(shop, PATH, auditOrder, { 'idempotency-key': key });
      expect(answer.status).toBe(400);
      expect((await answer.json()).message).toContain('Idempotency-Key');
    },
  );
});

describe('another site’s page', () => {
  test.each<Record<string, string>>([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ])('%j is refused with 403', async (headers) => {
    expect((await post(shop, PATH, auditOrder, headers)).status).toBe(403);
  });

  test('no answer allows other origins', async () => {
    const answer = await request(`${shop.url}/api/services`, { headers: { origin: 'https://evil.example' } });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});

test('an error carries a request id and no internals', async () => {
  const answer = await post(shop, PATH, '{');
  const body = await answer.json();
  expect(body.requestId).toBe(answer.headers.get('x-request-id'));
  expect(JSON.stringify(body)).not.toMatch(/node_modules|at .*\.ts|SyntaxError/);
  expect(answer.headers.get('x-powered-by')).toBeNull();
});

async function countOrders(): Promise<number> {
  const row = await shop.db('orders').count<{ count: string }>('* as count').first();
  return Number(row?.count);
}
