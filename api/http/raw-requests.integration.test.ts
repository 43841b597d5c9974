import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { listen } from '@querywright/sandbox/listen';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRateLimits } from '../../infra/rate-limits.ts';
import { auditOrder, post } from '../../testing/buyer.ts';
import { sendRaw } from '../../testing/raw-request.ts';
import { request } from '../../testing/request.ts';
import { type Shop, startShop } from '../../testing/shop.ts';
import { deliverRaw, sign } from '../../testing/stripe-events.ts';
import { waitFor } from '../../testing/wait-for.ts';
import { createApp } from '../app.ts';
import { closeServer } from './close-server.ts';
import { protectServer, serverOptions } from './http-server.ts';

// Requests that no browser sends. Invalid JSON bodies are in bad-input.integration.test.ts.

const PATH = '/api/create-payment-intent';
const order = JSON.stringify(auditOrder);
let shop: Shop;
beforeAll(async () => {
  shop = await startShop({ site: true, env: { PUBLIC_URL: 'https://querywright.example' } });
});
afterAll(async () => {
  expect(await shop.db('orders').select('id'), 'no order came of all this').toEqual([]);
  await shop.close();
});

/** A request as bytes; `headers` beside Host and the content type. */
function raw(headers: string[], body = order, target = PATH, method = 'POST'): string {
  const all = [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/json',
    ...headers,
  ];
  return `${all.join('\r\n')}\r\n\r\n${body}`;
}
const length = (body: string) => `Content-Length: ${Buffer.byteLength(body)}`;

describe('a request whose length can be read in two ways is 400, and the connection is closed', () => {
  const chunked = `${order.length.toString(16)}\r\n${order}\r\n0\r\n\r\n`;
  test.each<[string, string]>([
    ['Content-Length and Transfer-Encoding', raw([length(order), 'Transfer-Encoding: chunked'], chunked)],
    ['Transfer-Encoding and Content-Length', raw(['Transfer-Encoding: chunked', length(order)], chunked)],
    ['two lengths', raw([length(order), 'Content-Length: 0'])],
    ['the same length twice', raw([length(order), length(order)])],
    ['a list of lengths', raw([`Content-Length: ${order.length}, ${order.length}`])],
    ['a negative length', raw(['Content-Length: -1'])],
    ['a length with a sign', raw([`Content-Length: +${order.length}`])],
    ['a length of 2^64', raw(['Content-Length: 18446744073709551616'])],
    ['an unknown transfer encoding', raw(['Transfer-Encoding: chunked, identity'], chunked)],
    ['identity before chunked', raw(['Transfer-Encoding: identity', 'Transfer-Encoding: chunked'], chunked)],
    ['gzip before chunked', raw(['Transfer-Encoding: gzip, chunked'], chunked)],
    ['a chunk of no size', raw(['Transfer-Encoding: chunked'], `zz\r\n${order}\r\n0\r\n\r\n`)],
    ['a folded header', raw([length(order), 'X-Long: one', ' two'])],
    ['a space before the colon', raw([`Content-Length : ${order.length}`])],
    ['NUL in a header', raw([length(order), 'X-Nul: a\0b'])],
    ['a bare LF between headers', raw([length(order)]).replace('\r\n', '\n')],
    ['no Host', raw([length(order)]).replace('Host: localhost\r\n', '')],
    ['two hosts', raw([length(order), 'Host: evil.example'])],
    ['no HTTP at all', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['another protocol', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('%s', async (_what, bytes) => {
    const answer = await sendRaw(shop.url, Buffer.from(bytes, 'latin1'), { untilClosed: true });
    expect(answer.status, answer.text).toBe(400);
    expect(answer.closed, answer.text).toBe(true);
  });

  test('with a message and the usual headers', async () => {
    const { message, text } = await sendRaw(shop.url, raw([length(order), length(order)]));
    expect(message).toBe('This is not a valid HTTP request');
    expect(text).toMatch(/strict-transport-security: max-age=63072000; includeSubDomains; preload\r\n/i);
    expect(text).toMatch(/x-content-type-options: nosniff\r\n/i);
  });

  test.each([
    ['no host', 'GET / HTTP/1.1\r\n\r\nConnection: close\r\n\r\n'],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\nno request at all\r\n\r\n'],
  ])('one with %s too, and nothing after it is answered', async (_what, bytes) => {
    const { message, text } = await sendRaw(shop.url, bytes, { untilClosed: true });
    expect(message).toBe('Exactly one Host header is required');
    expect(text).toMatch(/strict-transport-security/i);
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });

  test('and the smuggled request after it is not answered', async () => {
    const smuggled = 'GET /api/services HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const { text } = await sendRaw(
      shop.url,
      raw(['Content-Length: 4', 'Transfer-Encoding: chunked'], `0\r\n\r\n${smuggled}`),
      { untilClosed: true },
    );
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });
});

describe('too much', () => {
  test('headers of more than 16 kB are 431', async () => {
    const bytes = raw([length(order), `X-Padding: ${'x'.repeat(17_000)}`]);
    const answer = await sendRaw(shop.url, bytes, { untilClosed: true });
    expect([answer.status, answer.message, answer.closed]).toEqual([431, 'The headers are too large', true]);
  });

  test('an address of more than 8 kB is 414, a shorter unknown one 404', async () => {
    for (const path of ['/api/orders/', '/', '/api/login?returnTo=/']) {
      expect((await request(`${shop.url}${path}${'a'.repeat(8_192)}`)).status, path).toBe(414);
    }
    expect((await request(`${shop.url}/${'a'.repeat(8_000)}`)).status).toBe(404);
  });

  test.each([
    ['gzip', gzipSync],
    ['chunked', undefined],
  ] as const)('50 MB sent %s are refused, and the connection is closed', async (_how, pack) => {
    const block = Buffer.alloc(1_000_000, '"');
    for (const path of [PATH, '/api/contact', '/api/webhooks/stripe', '/csp-report']) {
      const packed = pack?.(Buffer.concat(Array.from({ length: 50 }, () => block)));
      const frame = (bytes: Uint8Array) => [`${bytes.length.toString(16)}\r\n`, bytes, '\r\n'];
      const parts = packed ? frame(packed) : Array.from({ length: 50 }, () => frame(block)).flat();
      const headers = ['Transfer-Encoding: chunked', ...(packed ? ['Content-Encoding: gzip'] : [])];
      const bytes = [raw(headers, '', path), ...parts, '0\r\n\r\n'].map((part) => Buffer.from(part));
      const answer = await sendRaw(shop.url, Buffer.concat(bytes), { untilClosed: true });
      // A webhook without a signature is refused before its body is read.
      const status = path.includes('webhooks') ? 400 : 413;
      expect([answer.status, answer.closed], path).toEqual([status, true]);
    }
  });

  const pieces = (count: number) => '1\r\n \r\n'.repeat(count);
  const signature = `stripe-signature: ${sign('{}')}`;
  test.each([PATH, '/api/webhooks/stripe', '/csp-report'])(
    'a body in thousands of pieces is cut off: %s',
    async (path) => {
      const bytes = raw(['Transfer-Encoding: chunked', signature], pieces(5_000), path);
      expect(await sendRaw(shop.url, bytes, { untilClosed: true })).toMatchObject({
        status: 0,
        closed: true,
      });
    },
  );

  test('a body in two hundred pieces is read', async () => {
    const bytes = raw(['Transfer-Encoding: chunked'], `${pieces(198)}2\r\n{}\r\n0\r\n\r\n`, '/api/contact');
    expect(await sendRaw(shop.url, bytes)).toMatchObject({ status: 400, message: 'Name is required' });
  });

  test.each([
    ['that do not wait for their answers', []],
    ['with an unknown Expect header', ['Expect: the-impossible']],
  ])('of requests %s only a few are read', async (_what, headers) => {
    let requests = 0;
    const server = createServer(serverOptions, () => requests++).on('request', createApp(shop.api));
    protectServer(server, shop.config);
    const url = `http://localhost:${await listen(server, 0, 'localhost')}`;
    const { closed } = await sendRaw(url, raw(headers, '', '/', 'GET').repeat(500), { untilClosed: true });
    await closeServer(server);
    expect({ closed, requests }).toEqual({ closed: true, requests: 9 });
  });

  test('an unknown expectation is ignored', async () => {
    const { status, text } = await sendRaw(shop.url, raw(['Expect: the-impossible'], '', '/healthz', 'GET'));
    expect(status).toBe(200);
    expect(text).toMatch(/x-content-type-options: nosniff\r\n/i);
  });

  test('a few requests sent together are answered, in their order', async () => {
    const get = (path: string) => raw([], '', path, 'GET');
    const { text } = await sendRaw(shop.url, get('/api/services') + get('/api/nothing') + get('/healthz'));
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200']);
  });

  test.each([
    ['a webhook', raw([signature], '{}', '/api/webhooks/stripe')],
    ['an event stream', raw([], '', `/api/orders/${crypto.randomUUID()}/events`, 'GET')],
  ])('%s that does not wait for the answer before it is cut off', async (_what, bytes) => {
    const first = raw([], '', '/api/services', 'GET');
    expect(await sendRaw(shop.url, first + bytes, { untilClosed: true })).toMatchObject({
      status: 0,
      closed: true,
    });
  });

  test('connections above the limit are closed, and room is made by those that end', async () => {
    const server = createServer(serverOptions, createApp(shop.api));
    protectServer(server, shop.config, { maxConnections: 2 });
    const url = `http://localhost:${await listen(server, 0, 'localhost')}`;
    const get = raw(['Connection: close'], '', '/healthz', 'GET');
    const idle = [connect(Number(new URL(url).port)), connect(Number(new URL(url).port))];
    await Promise.all(idle.map((socket) => once(socket, 'connect')));
    expect(await sendRaw(url, get, { untilClosed: true })).toMatchObject({ status: 0, closed: true });
    idle[0]?.destroy();
    await waitFor('a connection is free', async () => (await sendRaw(url, get)).status === 200);
    idle[1]?.destroy();
    await closeServer(server);
  });

  test('a body nested deeper than 32 levels is 400', async () => {
    const deep = (levels: number) => `{"serviceId":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    const answer = await post(shop, PATH, deep(15_000));
    expect(answer.status).toBe(400);
    expect((await answer.json()).message).toContain('32 levels');
    expect((await (await post(shop, PATH, deep(31))).json()).fields).toHaveProperty('serviceId');
  });
});

describe('a body that two readers would understand differently', () => {
  test.each([
    ['serviceId', order.replace('{', '{"serviceId":"design",')],
    ['an escaped name', order.replace('{', '{"\\u0061mount":1,')],
  ])('with %s given twice is 400', async (_what, body) => {
    const answer = await post(shop, PATH, body);
    expect(answer.status).toBe(400);
    expect((await answer.json()).message).toContain('twice');
  });

  test.each(['utf-16', 'utf-16le', 'utf-32', 'iso-8859-1', 'utf-7', '"utf-16"'])(
    'in %s is 415',
    async (charset) => {
      const answer = await post(shop, PATH, order, {
        'content-type': `application/json; charset=${charset}`,
      });
      expect(answer.status).toBe(415);
      expect((await answer.json()).message).toContain('UTF-8');
    },
  );

  test.each(['utf-8', 'UTF-8', '"utf-8"'])('in %s is read', async (charset) => {
    const type = `application/json; charset=${charset}`;
    expect((await post(shop, PATH, '{}', { 'content-type': type })).status).toBe(400);
  });

  test.each<[string, Buffer<ArrayBuffer>, string?]>([
    [
      'bytes that are not UTF-8',
      Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]),
    ],
    ['what says gzip and is not', Buffer.from(order), 'gzip'],
    ['a gzip that is cut off', gzipSync(order).subarray(0, 30), 'gzip'],
  ])('of %s is 400', async (_what, body, encoding) => {
    const answer = await request(`${shop.url}/api/contact`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(encoding ? { 'content-encoding': encoding } : {}) },
      body,
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ message: expect.any(String) });
  });

  test('fields named like Object.prototype’s properties are reported like any other', async () => {
    const answer = await post(shop, PATH, { ...auditOrder, toString: 1, hasOwnProperty: 1 });
    expect(Object.keys((await answer.json()).fields)).toEqual(['toString', 'hasOwnProperty']);
  });
});

describe('slow clients', () => {
  test.each([
    ['headers', raw([length(order)]).slice(0, 60)],
    ['a body', raw([length(order)]).slice(0, -10)],
  ])('%s not sent in time: 408, and the connection is closed', async (_what, bytes) => {
    const impatient = { headersTimeout: 150, requestTimeout: 200, connectionsCheckingInterval: 20 };
    const server = createServer({ ...serverOptions, ...impatient }, createApp(shop.api));
    protectServer(server, shop.config);
    const port = await listen(server, 0, 'localhost');
    const answer = await sendRaw(`http://localhost:${port}`, bytes, { untilClosed: true });
    await closeServer(server);
    expect([answer.status, answer.closed]).toEqual([408, true]);
    expect(answer.message).toBe('The request took too long to arrive');
  });
});

describe('queries that a call does not know are 400 and named', () => {
  test.each<[string, string]>([
    ['GET', '/api/services'],
    ['GET', '/api/services/audit'],
    ['GET', '/api/config'],
    ['GET', `/api/orders/${crypto.randomUUID()}`],
    ['GET', '/api/auth/user'],
    ['GET', '/api/enrollment'],
    ['GET', '/api/paypal/setup'],
    ['POST', PATH],
    ['POST', '/api/contact'],
    ['POST', '/api/paypal/order'],
    ['POST', '/api/paypal/order/ABC/capture'],
    ['POST', '/api/newsletter/subscribe'],
  ])('%s %s', async (method, path) => {
    for (const name of ['debug', '__proto__', 'a[b]', 'toString']) {
      const answer = await request(`${shop.url}${path}?${encodeURIComponent(name)}=1&x=2`, { method });
      expect([answer.status, (await answer.json()).message]).toEqual([
        400,
        `Unknown query parameter ${name}`,
      ]);
    }
  });
});

describe('private files are 404:', () => {
  test.each([
    '/..%2f..%2fpackage.json',
    '/../../package.json',
    '/%2e%2e/%2e%2e/package.json',
    '/%252e%252e%252fpackage.json',
    '/..%5c..%5cpackage.json',
    '/assets/..%2f..%2fpages%2findex.html',
    '/assets/%00',
    '/index.html%00.png',
    '/.env',
    '/.git/HEAD',
    '/%2eenv',
    '/assets/',
    '/assets/index.js.map',
    '/metrics',
    '/queues',
    '//etc/passwd',
    '/etc/passwd',
    '/constructor',
    '/__proto__',
  ])('%s', async (target) => {
    const answer = await sendRaw(shop.url, raw(['Connection: close'], '', target, 'GET'));
    expect(answer.status, answer.text.slice(0, 300)).toBe(404);
    expect(answer.text).not.toMatch(/"dependencies"|root:/);
  });

  test('an address with a fragment is 400, and not read without it', async () => {
    const answer = await sendRaw(shop.url, raw([], '', '/api/services/#x', 'GET'));
    expect([answer.status, answer.message]).toEqual([400, 'The URL must not have a fragment']);
  });

  test('an address with a broken escape is 400, not 500', async () => {
    for (const target of ['/%E0%A4%A', '/api/orders/%E0%A4%A', '/assets/%zz', '/%c0%ae%c0%ae/']) {
      const { status } = await sendRaw(shop.url, raw(['Connection: close'], '', target, 'GET'));
      expect([400, 404], target).toContain(status);
    }
  });
});

describe('methods', () => {
  test.each(['TRACE', 'PROPFIND', 'PATCH', 'DELETE'])('%s is 405 with what is allowed', async (method) => {
    for (const target of ['/api/services', PATH, '/healthz', '/csp-report', '/api/webhooks/stripe']) {
      const answer = await sendRaw(shop.url, raw(['Connection: close'], '', target, method));
      expect(answer.status, target).toBe(405);
      expect(answer.text).toMatch(/\r\nallow: (GET|POST)/i);
      expect(answer.text.toLowerCase()).not.toContain('host: localhost');
    }
  });

  test('CONNECT and an upgrade lead nowhere', async () => {
    const connected = await sendRaw(
      shop.url,
      'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n',
    );
    expect(connected).toMatchObject({ status: 0, closed: true });
    const upgrade = raw(['Connection: Upgrade, close', 'Upgrade: websocket'], '', '/api/services', 'GET');
    expect((await sendRaw(shop.url, upgrade)).status).toBe(200);
  });
});

describe('unauthenticated input', () => {
  test.each<[string, unknown]>([
    ['nothing', null],
    ['a list of nothing', [null, 1, 'x', { body: null }]],
    [
      'words that are objects',
      { 'csp-report': { 'effective-directive': { toString: 1 }, 'blocked-uri': [] } },
    ],
    ['words that are long', { 'csp-report': { 'blocked-uri': 'x'.repeat(15_000) } }],
  ])('a report of %s is accepted', async (_what, report) => {
    const answer = await request(`${shop.url}/csp-report`, {
      method: 'POST',
      headers: { 'content-type': 'application/reports+json' },
      body: JSON.stringify(report),
    });
    expect(answer.status).toBeLessThan(500);
  });

  test('a flood of reports is 429 with the time to wait', async () => {
    const limited = await startShop({
      parts: ({ db }) => ({ rateLimits: createRateLimits({ queuePrefix: 'test', redis: undefined, db }) }),
    });
    const send = () => post(limited, '/csp-report', { 'csp-report': {} });
    const answers = await Promise.all(Array.from({ length: 61 }, send));
    await limited.close();
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(1);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test.each([
    ['one network', 120, (n: number) => `2001:db8:1:${n.toString(16)}::1`],
    ['many networks', 300, (n: number) => `10.${n >> 8}.${n & 255}.1`],
  ])(
    'a flood of reports from the addresses of %s is 429',
    async (_what, most, addressOf) => {
      const limited = await startShop({
        env: { TRUST_PROXY: 'true' },
        parts: ({ db }) => ({ rateLimits: createRateLimits({ queuePrefix: 'test', redis: undefined, db }) }),
      });
      let accepted = 0;
      for (let n = 0; n < most + 50; n++) {
        const answer = await post(
          limited,
          '/csp-report',
          { 'csp-report': {} },
          { 'x-forwarded-for': addressOf(n) },
        );
        if (answer.status === 204) accepted++;
        else expect(answer.status).toBe(429);
      }
      await limited.close();
      expect(accepted).toBe(most);
    },
    60_000,
  );

  test('liveness, readiness and errors do not reveal the software', async () => {
    for (const path of ['/healthz', '/readyz', '/api/nothing', '/nothing']) {
      const answer = await request(`${shop.url}${path}`);
      const text = `${JSON.stringify([...answer.headers])}${await answer.text()}`;
      expect(text, path).not.toMatch(/express|node\.?js|v\d+\.\d+\.\d+|postgres(ql)? \d|127\.0\.0\.1/i);
    }
  });

  test('an event whose id cannot be stored is 400, though it is signed', async () => {
    for (const id of ['evt_\u0000', 'evt_\ud800', '', 'x'.repeat(201), 7, null]) {
      const body = JSON.stringify({ id, type: 'customer.created', object: 'event' });
      const answer = await deliverRaw(shop, body, { 'stripe-signature': sign(body) });
      expect(answer.status, JSON.stringify(id)).toBe(400);
    }
    expect(await shop.db('payment_events').select('id')).toEqual([]);
  });
});
