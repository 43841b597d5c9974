import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import express, { type ErrorRequestHandler } from 'express';
import { afterEach, describe, expect, test } from 'vitest';
import { unverifiedBody } from './unverified-body.ts';

const limits = {
  maxBytes: 1_000,
  maxBytesInFlight: 2_500,
  maxBytesPerClient: 2_500,
  maxArriving: 5,
  arrivesWithinMs: 10_000,
  largeBytesPerSecond: 1_000_000,
  usualBytes: 1_000,
};
const json = { 'content-type': 'application/json' };

const servers: http.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

test('passes the bytes on as they came', async () => {
  const { port } = await serve();
  expect(await send(port, json, '{"a": 1}')).toEqual({ status: 200, text: '{"a": 1}' });
});

test.each([
  ['another content type', { 'content-type': 'text/plain' }, 415],
  ['no content type', {}, 415],
  ['gzip', { ...json, 'content-encoding': 'gzip' }, 415],
  ['brotli', { ...json, 'content-encoding': 'br' }, 415],
  ['a length above the limit', { ...json, 'content-length': '1001' }, 413],
])('refuses %s before reading the body', async (_, headers, status) => {
  const { port } = await serve();
  const call = http.request({ port, method: 'POST', headers: { 'content-length': '100', ...headers } });
  call.on('error', () => {});
  call.flushHeaders();
  const [answer] = (await once(call, 'response')) as [http.IncomingMessage];
  expect(answer.statusCode).toBe(status);
  call.destroy();
});

test('refuses a chunked body above the limit', async () => {
  const { port } = await serve();
  expect(await send(port, { ...json, 'transfer-encoding': 'chunked' }, 'x'.repeat(1_001))).toMatchObject({
    status: 413,
  });
});

test('never inflates a compressed body', async () => {
  const { port } = await serve();
  const bomb = gzipSync('0'.repeat(1_000_000));
  expect((await send(port, { ...json, 'content-encoding': 'gzip' }, bomb)).status).toBe(415);
});

test('limits the bodies in flight, and frees them with their answers', async () => {
  const { port, release, waiting } = await serve({ hold: true });
  const held = [send(port, json, 'x'.repeat(1_000)), send(port, json, 'x'.repeat(1_000))];
  await expect.poll(() => waiting()).toBe(2);
  expect((await send(port, json, 'x'.repeat(1_000))).status).toBe(503);
  release();
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200]);

  const after = send(port, json, 'x'.repeat(1_000));
  await expect.poll(() => waiting()).toBe(1);
  release();
  expect((await after).status).toBe(200);
});

test('a flood of large bodies takes no more time than its budget, and usual ones pass', async () => {
  const { port } = await serve({ override: { usualBytes: 100, largeBytesPerSecond: 1_000 } });
  const chunked = { ...json, 'transfer-encoding': 'chunked' };
  const flood = [];
  for (let n = 0; n < 5; n++) flood.push((await send(port, chunked, 'x'.repeat(500))).status);
  expect(flood).toEqual([200, 503, 503, 503, 503]);
  expect((await send(port, json, 'x'.repeat(100))).status).toBe(200);
  await expect.poll(async () => (await send(port, chunked, 'x'.repeat(500))).status).toBe(200);
});

test.each([
  ['a large body', { 'content-length': '500' }],
  ['a body of unknown length', { 'transfer-encoding': 'chunked' }],
])('in a flood of large bodies, %s is refused before it is read', async (_, headers) => {
  const { port } = await serve({ override: { usualBytes: 100, largeBytesPerSecond: 1_000 } });
  expect((await send(port, json, 'x'.repeat(500))).status).toBe(200);
  const call = http.request({ port, method: 'POST', headers: { ...json, ...headers } });
  call.on('error', () => {});
  call.flushHeaders();
  const [answer] = (await once(call, 'response')) as [http.IncomingMessage];
  expect(answer.statusCode).toBe(503);
  call.destroy();
});

test('a disconnected sender frees its bytes', async () => {
  const { port } = await serve();
  for (let n = 0; n < 5; n++) {
    const call = http.request({ port, method: 'POST', headers: { ...json, 'content-length': '1000' } });
    call.on('error', () => {});
    call.write('x'.repeat(900));
    await once(call, 'socket');
    await new Promise((resolve) => setImmediate(resolve));
    call.destroy();
  }
  await expect.poll(async () => (await send(port, json, 'x'.repeat(1_000))).status).toBe(200);
});

describe('bodies that arrive slowly', () => {
  test('are evicted, oldest first, for one that arrives at once', async () => {
    const { port } = await serve();
    const slow = [await startSlowly(port, 900), await startSlowly(port, 900)];
    expect((await send(port, json, 'x'.repeat(1_000))).status).toBe(200);
    expect(await slow[0]?.status).toBe(503);
    slow[1]?.call.end('x'.repeat(100));
    expect(await slow[1]?.status).toBe(200);
  });

  test('are evicted for one of the same client, not of other clients', async () => {
    const { port } = await serve({ override: { maxBytesPerClient: 1_200 } });
    const other = await startSlowly(port, 900, '198.51.100.1');
    const slow = await startSlowly(port, 900, '198.51.100.2');
    const whole = send(port, { ...json, 'x-forwarded-for': '198.51.100.2' }, 'x'.repeat(600));
    expect((await whole).status).toBe(200);
    expect(await slow.status).toBe(503);
    other.call.end('x'.repeat(100));
    expect(await other.status).toBe(200);
  });

  test('are limited in number', async () => {
    const { port } = await serve();
    const slow = [];
    for (let n = 0; n < 6; n++) slow.push(await startSlowly(port, 1));
    expect(await slow[0]?.status).toBe(503);
    expect((await send(port, json, '{}')).status).toBe(200);
  });

  test('are cut off at their deadline', async () => {
    const { port } = await serve({ override: { arrivesWithinMs: 50 } });
    expect(await (await startSlowly(port, 1)).status).toBe(408);
  });
});

/** Sends the first bytes of a body of 1,000, and returns when the server has them. */
async function startSlowly(port: number, bytes: number, client = '192.0.2.1') {
  const headers = { ...json, 'content-length': '1000', 'x-forwarded-for': client, expect: '100-continue' };
  const call = http.request({ port, method: 'POST', headers });
  call.on('error', () => {});
  const status = new Promise<number | undefined>((resolve) => {
    call.once('response', (answer) => resolve(answer.statusCode));
  });
  call.flushHeaders();
  await once(call, 'continue');
  await new Promise((resolve) => call.write('x'.repeat(bytes), resolve));
  return { call, status };
}

/** Echoes bodies, with `hold` only on release. */
async function serve({ hold = false, override = {} } = {}) {
  let answers: (() => void)[] = [];
  const app = express();
  app.set('trust proxy', true);
  app.post('/', unverifiedBody({ ...limits, ...override }), (req, res) => {
    const answer = () => void res.send(req.body);
    if (hold) answers.push(answer);
    else answer();
  });
  app.use(((error, _req, res, _next) => {
    res.status(error.status).set(error.headers).end();
  }) satisfies ErrorRequestHandler);
  const server = http.createServer(app).listen(0);
  servers.push(server);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    waiting: () => answers.length,
    release() {
      for (const answer of answers) answer();
      answers = [];
    },
  };
}

async function send(port: number, headers: http.OutgoingHttpHeaders, body: string | Buffer) {
  const call = http.request({ port, method: 'POST', headers });
  call.on('error', () => {});
  call.end(body);
  const [answer] = (await once(call, 'response')) as [http.IncomingMessage];
  let text = '';
  for await (const chunk of answer) text += chunk;
  return { status: answer.statusCode, text };
}
