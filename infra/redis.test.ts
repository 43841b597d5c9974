import { once } from 'node:events';
import net from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { timedBeside } from '../testing/timed.ts';
import { connectRedis, failFast, firstConnection } from './redis.ts';

const TLS_HANDSHAKE = 0x16;

test.each([
  ['redis+sentinel', false],
  ['rediss+sentinel', true],
])('%s: sentinels are reached over TLS: %s', async (scheme, isEncrypted) => {
  const { first, redis } = await knock(`${scheme}://:secret@HOST/primary`);
  redis.disconnect();
  expect(first[0] === TLS_HANDSHAKE).toBe(isEncrypted);
});

test('the sentinels get their own user and password', async () => {
  const own = 'sentinelUsername=watcher&sentinelPassword=p%40ss';
  const { first, redis } = await knock(`redis+sentinel://app:secret@HOST/primary?${own}`);
  redis.disconnect();
  expect(redis.options).toMatchObject({ name: 'primary', username: 'app', password: 'secret' });
  expect(first.toString()).toContain('AUTH\r\n$7\r\nwatcher\r\n$4\r\np@ss');
  expect(first.toString()).not.toContain('secret');
});

test('a Redis that accepts connections and stays silent holds up the start for a second', async () => {
  const silent = net.createServer((socket) => void socket.on('error', () => {})).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as net.AddressInfo;
  const { ms, usualMs, redis } = await timeStart(port);
  expect(redis.status).not.toBe('ready');
  expect(ms).toBeGreaterThan(900);
  expect(ms).toBeLessThan(2_000 + usualMs);
  redis.disconnect();
  silent.close();
});

test('a Redis that refuses connections does not hold up the start', async () => {
  const { ms, usualMs, redis } = await timeStart(1);
  redis.disconnect();
  expect(ms).toBeLessThan(500 + usualMs);
});

async function timeStart(port: number) {
  const redis = connectRedis(`redis://127.0.0.1:${port}`, failFast, () => {});
  const { ms, usualMs } = await timedBeside(
    () => firstConnection(redis),
    () => setImmediate(),
  );
  return { ms, usualMs, redis };
}

/** What a sentinel is sent first. */
async function knock(url: string): Promise<{ first: Buffer; redis: Redis }> {
  const sentinel = net.createServer().listen(0, '127.0.0.1');
  await once(sentinel, 'listening');
  const { port } = sentinel.address() as net.AddressInfo;
  const redis = connectRedis(url.replace('HOST', `127.0.0.1:${port}`), {}, () => {}) as Redis;
  const [socket] = (await once(sentinel, 'connection')) as [net.Socket];
  socket.on('error', () => {});
  const [first] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  sentinel.close();
  return { first, redis };
}
