import net from 'node:net';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { listen } from '@querywright/sandbox/listen';
import { startSandbox } from '@querywright/sandbox/testing';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createMailer } from './mailer.ts';
import { isOutage } from './outage.ts';
import { runUrgently } from './urgent-work.ts';

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

test('a mail arrives as it was composed, with no line that begins with a dot and no bare line end', async () => {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const smtpUrl = `smtp://127.0.0.1:${sandbox.smtpPort}`;
  const people = { from: 'shop@example.com', staff: 'staff@example.com' };
  const mailer = createMailer({ smtpUrl, requireTls: false, maxConnections: 1, ...people });
  onTestFinished(() => mailer.close());
  const content = '.\n..\r.\r\n.\r\nMAIL FROM:<eve@example.com>';
  const mail = { to: 'ada@example.com', subject: content, html: content, text: content };
  for (const id of ['<1@example.com>', '<2@example.com>']) {
    await mailer.send(mailer.toMessage({ ...mail, messageId: id, headers: { 'X-Request-Id': content } }));
  }
  const received = sandbox.inbox.snapshot().map(({ raw }) => raw);
  expect(received).toHaveLength(2);
  for (const message of received) {
    expect(message).not.toMatch(/(?<!\r)\n|\r(?!\n)|^\./);
    expect(message).not.toMatch(/\n\./);
    const parts = [...message.matchAll(/base64\r\n\r\n([\s\S]*?)\r\n--/g)].map((part) => part[1] ?? '');
    expect(parts.map((part) => Buffer.from(part, 'base64').toString())).toEqual([content, content]);
    expect(message).toMatch(/[^\r\n]--\r\n$/);
  }
});

describe('mails that wait for a connection', () => {
  test('are sent one after another', async () => {
    const { started, end } = sendAll(2, { maxConnections: 2 });
    await vi.waitUntil(() => started.length === 1);
    await nextIteration();
    expect(started).toEqual([1]);
    end(1);
    await vi.waitUntil(() => started.length === 2);
    end(2);
  });

  test('make way for urgent work, for a tenth of a second', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(workUrgently());
    const { started, end } = sendAll(3, { maxConnections: 2 });
    await nextIteration();
    expect(started).toEqual([]);
    await vi.advanceTimersByTimeAsync(20);
    expect(started).toEqual([1]);
    await vi.advanceTimersByTimeAsync(79);
    end(1);
    await nextIteration();
    expect(started).toEqual([1]);
    await vi.advanceTimersByTimeAsync(20);
    expect(started).toEqual([1, 2]);
    end(2);
    await nextIteration();
    expect(started).toEqual([1, 2, 3]);
    end(3);
  });

  test('start at once beside urgent work after half a second', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(workUrgently());
    const { mailer, started, end } = sendAll(1, { maxConnections: 2 });
    await vi.advanceTimersByTimeAsync(500);
    expect(started).toEqual([1]);
    void mailer.whenFree(async () => started.push(2));
    await nextIteration();
    expect(started).toEqual([1, 2]);
    end(1);
  });

  test('take as many connections as there are after half a second, and one again after a rest', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { mailer, started, end } = sendAll(3, { maxConnections: 2 });
    await nextIteration();
    await vi.advanceTimersByTimeAsync(499);
    expect(started).toEqual([1]);
    await vi.advanceTimersByTimeAsync(1);
    expect(started).toEqual([1, 2]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(started).toEqual([1, 2]);
    for (const mail of [1, 2]) end(mail);
    await nextIteration();
    end(3);
    await nextIteration();
    await vi.advanceTimersByTimeAsync(9);
    for (const mail of [4, 5]) void mailer.whenFree(async () => started.push(mail));
    await nextIteration();
    expect(started).toEqual([1, 2, 3, 4, 5]);

    await vi.advanceTimersByTimeAsync(10);
    const forever = new Promise<never>(() => {});
    for (const mail of [6, 7]) void mailer.whenFree(() => Promise.all([started.push(mail), forever]));
    await nextIteration();
    expect(started).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

/** Urgent work that runs until the returned function is called. */
function workUrgently(): () => void {
  let end = () => {};
  void runUrgently(() => new Promise<void>((resolve) => (end = resolve)));
  return () => end();
}

function sendAll(count: number, { maxConnections }: { maxConnections: number }) {
  const people = { from: 'shop@example.com', staff: 'staff@example.com' };
  const mailer = createMailer({
    smtpUrl: 'smtp://127.0.0.1:1',
    requireTls: false,
    maxConnections,
    ...people,
  });
  onTestFinished(() => mailer.close());
  const started: number[] = [];
  const endings = new Map<number, () => void>();
  for (let mail = 1; mail <= count; mail++) {
    void mailer.whenFree(() => {
      started.push(mail);
      return new Promise<void>((resolve) => endings.set(mail, resolve));
    });
  }
  return { mailer, started, end: (mail: number) => endings.get(mail)?.() };
}
