import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { errorHandler } from './error-handler.ts';
import { BadRequest } from './errors.ts';
import { requestLog } from './request-log.ts';

const lines: Record<string, unknown>[] = [];
let server: http.Server;
let url: string;
beforeAll(async () => {
  const write = (line: string) => void lines.push(JSON.parse(line));
  const app = express();
  app.use(requestLog(pino({ level: 'info' }, { write })));
  app.all('/fine', (_req, res) => void res.json({}));
  app.get('/refused', () => {
    throw new BadRequest('No');
  });
  app.get('/broken', () => {
    throw new Error('secret detail');
  });
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
      req: { id: answer.headers.get('x-request-id'), method: 'GET', path: '/refused' },
      res: { status: 400 },
      address: '127.0.0.1',
      code: 'bad_request',
      reason: 'No',
    },
  ]);
  expect(JSON.stringify(lines)).not.toContain('secret');
});

test('logs writes, and no reads that succeed', async () => {
  await fetch(`${url}/fine`);
  await fetch(`${url}/fine`, { method: 'POST' });
  expect(lines).toMatchObject([{ level: 30, req: { method: 'POST' }, res: { status: 200 } }]);
});

test('logs what fails as an error', async () => {
  await fetch(`${url}/broken`);
  expect(lines.map(({ level }) => level)).toEqual([50, 50]);
});

test('does not log that the process is not ready', async () => {
  await fetch(`${url}/readyz`);
  expect(lines).toEqual([]);
});
