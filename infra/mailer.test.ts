import net from 'node:net';
import { listen } from '@querywright/sandbox/listen';
import { afterEach, expect, test, vi } from 'vitest';
import { createMailer } from './mailer.ts';
import { isOutage } from './outage.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('a mail server that accepts connections and stays silent is an outage after 10 s', async () => {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => sockets.add(socket.on('error', () => {})));
  const smtpUrl = `smtp://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const people = { from: 'shop@example.com', staff: 'staff@example.com' };
  const mailer = createMailer({ smtpUrl, requireTls: false, maxConnections: 5, ...people });
  const mail = { to: 'ada@example.com', subject: 'Hello', html: '', text: '', messageId: '<1@example.com>' };

  const sent = mailer.send(mailer.toMessage(mail)).catch((error: unknown) => error);
  await vi.waitUntil(() => sockets.size === 1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(isOutage(await sent)).toBe(true);

  mailer.close();
  for (const socket of sockets) socket.destroy();
  server.close();
});

test('works on as many mails at once as it has connections', async () => {
  const people = { from: 'shop@example.com', staff: 'staff@example.com' };
  const mailer = createMailer({
    smtpUrl: 'smtp://127.0.0.1:1',
    requireTls: false,
    maxConnections: 2,
    ...people,
  });
  const started: string[] = [];
  const endings: (() => void)[] = [];
  const all = ['first', 'second', 'third'].map((name) =>
    mailer.whenFree(() => {
      started.push(name);
      return new Promise<void>((resolve) => endings.push(resolve));
    }),
  );
  await vi.waitUntil(() => started.length === 2);
  endings[1]?.();
  await vi.waitUntil(() => started.length === 3);
  for (const end of endings) end();
  await Promise.all(all);
  expect(started).toEqual(['first', 'second', 'third']);
  mailer.close();
});
