import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePort, listen } from './listen.ts';

test('a free port is none that Linux, macOS or Windows would give to another program', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, freePort));
  expect(Math.min(...ports)).toBeGreaterThan(1_023);
  expect(Math.max(...ports)).toBeLessThan(32_768);
});

test('a free port is one on which a server can listen', async () => {
  const port = await freePort();
  const server = createServer();
  expect(await listen(server, port)).toBe(port);
  await new Promise((resolve) => server.close(resolve));
});
