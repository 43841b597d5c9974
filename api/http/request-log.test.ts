import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { errorHandler } from './error-handler.ts';
import { BadRequest } from './errors.ts';
import { requestLog } from './request-log.ts';

const lines: Record<string, unknown>[] = [];
const app = express();
let server: http.Server;
let url: string;
beforeAll(async () => {
  const write = (line: string) => void lines.push(JSON.parse(line));
  app.use(requestLog(pino({ level: 'info' }, { write })));
  app.all('/fine', (_req, res) => void res.json({}));
  app.get('/refused', () => {
    throw new BadRequest('No');
  });
  app.get('/broken', () => {
    throw new Error('secret detail');
  });
  app.post('/slow', () => {});
  app.get('/readyz', (_req, res) => void res.status(503).end());
  app.use(errorHandler);
  server = http.createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => void lines.splice(0));
afterAll(() => void server.close());

test('logs a refusal with the address, the code and the reason, without the query', async () => {
  const answer = await fetch(`${url}/refused?token=secret`);
  expect(lines).toMatchObject([
    {
      level: 30,
      requestId: answer.headers.get('x-request-id'),
      req: { method: 'GET', path: '/refused' },
      res: { status: 400 },
      address: '127.0.0.1',
      code: 'bad_request',
      reason: 'No',
    },
  ]);
  expect(JSON.stringify(lines)).not.toContain('secret');
});

test('logs the first 200 characters of a path', async () => {
  await fetch(`${url}/${'x'.repeat(5_000)}`);
  expect(lines).toMatchObject([{ req: { path: `/${'x'.repeat(199)}` } }]);
});

test.each([
  ['its request id', { 'x-request-id': 'proxy-4711' }, 'proxy-4711'],
  ['its trace', { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }, 'a'.repeat(32)],
])('adopts %s from a trusted proxy', async (_what, headers, id) => {
  app.set('trust proxy', 'loopback');
  const answer = await fetch(`${url}/refused`, { headers });
  expect(answer.headers.get('x-request-id')).toBe(id);
  expect(lines).toMatchObject([{ requestId: id }]);
});

test.each([
  ['a stranger', false, 'proxy-4711'],
  ['a proxy that passes on nonsense', 'loopback', 'no id\tat all'],
])('generates a new id for %s', async (_who, trusted, given) => {
  app.set('trust proxy', trusted);
  const answer = await fetch(`${url}/refused`, { headers: { 'x-request-id': given } });
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
});

test('logs writes, and no reads that succeed', async () => {
  await fetch(`${url}/fine`);
  await fetch(`${url}/fine`, { method: 'POST' });
  expect(lines).toMatchObject([{ level: 30, req: { method: 'POST' }, res: { status: 200 } }]);
});

test('logs failures as errors', async () => {
  await fetch(`${url}/broken`);
  expect(lines.map(({ level }) => level)).toEqual([50, 50]);
});

test('logs that a client hung up', async () => {
  const gone = new AbortController();
  const answer = fetch(`${url}/slow`, { method: 'POST', signal: gone.signal }).catch(() => 'hung up');
  await once(server, 'request');
  gone.abort();
  expect(await answer).toBe('hung up');
  await vi.waitUntil(() => lines.length > 0);
  expect(lines).toMatchObject([{ msg: 'request aborted', req: { path: '/slow' } }]);
});

test('does not log that the process is not ready', async () => {
  await fetch(`${url}/readyz`);
  expect(lines).toEqual([]);
});
