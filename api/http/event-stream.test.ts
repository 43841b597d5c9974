import { createServer } from 'node:http';
import { listen } from '@querywright/sandbox/listen';
import type { Request, Response } from 'express';
import { afterEach, expect, test } from 'vitest';
import { onceClosed, openEventStream } from './event-stream.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

test('a stream ends at its maximum age, and says when to reconnect', async () => {
  const times = { heartbeatMs: 20, maxAgeMs: 200 };
  const url = await serve((req, res) => openEventStream(req, res, times).send('status', '"paid"'));

  const started = performance.now();
  const text = await (await fetch(url)).text();
  const earliestMs = 200 * 0.9;
  expect(performance.now() - started).toBeGreaterThanOrEqual(earliestMs - 2);
  expect(text).toMatch(/^retry: 2000\n\nevent: status\ndata: "paid"\n\n(: heartbeat\n\n)+$/);
});

test('a change that is read while its stream is ending is not sent', async () => {
  const errors: unknown[] = [];
  const url = await serve((req, res) => {
    res.on('error', (error) => errors.push(error));
    const stream = openEventStream(req, res, { heartbeatMs: 20_000, maxAgeMs: 60_000 });
    res.end();
    stream.send('status', '"paid"');
  });
  expect(await (await fetch(url)).text()).toBe('retry: 2000\n\n');
  expect(errors).toEqual([]);
});

test('the end of a client that has gone before it was awaited is not missed', async () => {
  const ends: string[] = [];
  const ended = new Promise<void>((resolve) => {
    void serve((_req, res) => {
      res.once('close', () => {
        onceClosed(res, () => ends.push('late'));
        resolve();
      });
      onceClosed(res, () => ends.push('in time'));
      res.destroy();
    }).then((url) => fetch(url).catch(() => {}));
  });
  await ended;
  await expect.poll(() => ends.toSorted()).toEqual(['in time', 'late']);
});

async function serve(handle: (req: Request, res: Response) => void): Promise<string> {
  const server = createServer((req, plain) => {
    const res = Object.assign(plain, {
      set: (headers: Record<string, string>) => plain.setHeaders(new Map(Object.entries(headers))),
    });
    handle(req as unknown as Request, res as unknown as Response);
  });
  const port = await listen(server, 0, '127.0.0.1');
  cleanUps.push(() => server.close());
  return `http://127.0.0.1:${port}/`;
}
