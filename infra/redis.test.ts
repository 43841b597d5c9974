import { once } from 'node:events';
import net from 'node:net';
import { expect, test } from 'vitest';
import { connectRedis } from './redis.ts';

const TLS_HANDSHAKE = 0x16;

test.each([
  ['redis+sentinel', false],
  ['rediss+sentinel', true],
])('%s: the sentinels are asked by TLS: %s', async (scheme, isEncrypted) => {
  const sentinel = net.createServer().listen(0, '127.0.0.1');
  await once(sentinel, 'listening');
  const { port } = sentinel.address() as net.AddressInfo;
  const redis = connectRedis(`${scheme}://:secret@127.0.0.1:${port}/primary`, {}, () => {});
  const [socket] = (await once(sentinel, 'connection')) as [net.Socket];
  socket.on('error', () => {});
  const [first] = (await once(socket, 'data')) as [Buffer];
  redis.disconnect();
  socket.destroy();
  sentinel.close();
  expect(first[0] === TLS_HANDSHAKE).toBe(isEncrypted);
});
