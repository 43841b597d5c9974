import { createServer } from 'node:http';
import { listen } from '@querywright/sandbox/listen';
import type { Request, Response } from 'express';
import { afterEach, expect, test } from 'vitest';
import { openEventStream } from './event-stream.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

test('a stream ends at its maximum age, and says when to reconnect', async () => {
  const server = createServer((req, plain) => {
    const res = Object.assign(plain, {
      set: (headers: Record<string, string>) => plain.setHeaders(new Map(Object.entries(headers))),
    });
    const times = { heartbeatMs: 20, maxAgeMs: 200 };
    openEventStream(req as unknown as Request, res as unknown as Response, times).send('status', '"paid"');
  });
  const port = await listen(server, 0, '127.0.0.1');
  cleanUps.push(() => server.close());

  const started = performance.now();
  const text = await (await fetch(`http://127.0.0.1:${port}/`)).text();
  const earliestMs = 200 * 0.9;
  expect(performance.now() - started).toBeGreaterThanOrEqual(earliestMs - 2);
  expect(text).toMatch(/^retry: 2000\n\nevent: status\ndata: "paid"\n\n(: heartbeat\n\n)+$/);
});
