import { createTransport, type SendMailOptions, type Transporter } from 'nodemailer';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RunningSandbox, startSandbox } from '../testing/sandbox.ts';
import type { InboxMessage } from './inbox.ts';

let sandbox: RunningSandbox;
let mailer: Transporter;

beforeAll(async () => {
  sandbox = await startSandbox();
  mailer = createTransport({
    host: '127.0.0.1',
    port: sandbox.smtpPort,
    pool: true,
    maxConnections: 5,
  });
});
beforeEach(() => fetch(`${sandbox.url}/inbox/messages`, { method: 'DELETE' }));
afterEach(() => sandbox.faults.clear());
afterAll(async () => {
  mailer.close();
  await sandbox.close();
});

test('stores an e-mail with both parts and its headers', async () => {
  await send('ada@example.com', {
    messageId: '<order-1@querywright.test>',
    replyTo: 'Grace <grace@example.com>',
  });
  const [message] = await messages('?to=Ada@example.com');
  expect(message).toMatchObject({
    from: 'orders@querywright.test',
    to: ['ada@example.com'],
    subject: 'Your order – thank you',
    text: expect.stringContaining('Paid: $2,999.00'),
    html: expect.stringContaining('<b>Paid</b>'),
  });
  expect(message?.headers).toMatchObject({
    'message-id': '<order-1@querywright.test>',
    'reply-to': 'Grace <grace@example.com>',
  });
  expect(Date.parse(message?.receivedAt ?? '')).toBeGreaterThan(Date.now() - 60_000);
});

test('lists e-mails newest first, by recipient, and can be emptied', async () => {
  await send('ada@example.com', { subject: 'first' });
  await send('bob@example.com', { subject: 'second' });
  await send('ada@example.com', { subject: 'third' });
  expect((await messages('')).map(({ subject }) => subject)).toEqual(['third', 'second', 'first']);
  expect((await messages('?to=ada@example.com')).map(({ subject }) => subject)).toEqual(['third', 'first']);
  await fetch(`${sandbox.url}/inbox/messages`, { method: 'DELETE' });
  expect(await messages('')).toEqual([]);
});

test('shows the list, and an e-mail without running its scripts', async () => {
  await send('ada@example.com', {
    subject: '<script>alert(1)</script>',
    html: '<script>alert(2)</script>hi',
  });
  const list = await (await fetch(`${sandbox.url}/inbox`)).text();
  expect(list).toContain('&#60;script&#62;alert(1)');
  const [message] = await messages('');
  const page = await (await fetch(`${sandbox.url}/inbox/${message?.id}`)).text();
  expect(page).toContain('<iframe sandbox');
  const html = await fetch(`${sandbox.url}/inbox/${message?.id}/html`);
  expect(html.headers.get('content-security-policy')).toContain("default-src 'none'");
});

test('stores 500 e-mails sent over pooled connections', async () => {
  await Promise.all(Array.from({ length: 500 }, (_, i) => send(`buyer${i}@example.com`)));
  expect(sandbox.inbox.size).toBe(500);
});

describe('a mail server that fails', () => {
  test('refuses temporarily, then accepts the e-mail', async () => {
    sandbox.faults.add({ target: 'smtp', mode: 'error', count: 1 });
    await expect(send('ada@example.com')).rejects.toMatchObject({ responseCode: 451 });
    await send('ada@example.com');
    expect(sandbox.inbox.size).toBe(1);
  });

  test('refuses one recipient permanently and accepts the others', async () => {
    sandbox.faults.add({ target: 'smtp', mode: 'error', code: 550, match: 'unknown@' });
    await expect(send('unknown@example.com')).rejects.toMatchObject({ responseCode: 550 });
    await send('ada@example.com');
    expect((await messages('')).map(({ to }) => to)).toEqual([['ada@example.com']]);
  });

  test('accepts the e-mail and closes the connection before it answers', async () => {
    sandbox.faults.add({ target: 'smtp', mode: 'drop', when: 'after', count: 1 });
    await expect(send('ada@example.com')).rejects.toThrow();
    expect(sandbox.inbox.size).toBe(1);
  });

  test('stays silent until the connection is closed', async () => {
    sandbox.faults.add({ target: 'smtp', mode: 'timeout', ms: 100, count: 1 });
    await expect(send('ada@example.com')).rejects.toThrow();
    expect(sandbox.inbox.size).toBe(0);
  });
});

function send(to: string, more: SendMailOptions = {}): Promise<unknown> {
  return mailer.sendMail({
    from: 'Querywright <orders@querywright.test>',
    to,
    subject: 'Your order – thank you',
    text: 'Paid: $2,999.00',
    html: '<p><b>Paid</b>: $2,999.00</p>',
    ...more,
  });
}

async function messages(query: string): Promise<InboxMessage[]> {
  return (await fetch(`${sandbox.url}/inbox/messages${query}`)).json();
}
