import { text } from 'node:stream/consumers';
import MailComposer from 'nodemailer/lib/mail-composer';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { MimeMessage, type OutgoingMail } from './mime-message.ts';

beforeAll(() => void vi.useFakeTimers({ now: 0, toFake: ['Date'] }));
afterAll(() => void vi.useRealTimers());

const from = '"Querywright, Inc." <hello@querywright.example>';
const plain: OutgoingMail = {
  to: 'ada@example.com',
  subject: 'Your order',
  html: '<p>Hello</p>',
  text: 'Hello\n',
  messageId: '<order_confirmation.1@querywright.example>',
};

test.each<[string, Partial<OutgoingMail>]>([
  ['plain words', {}],
  ['a reply address and headers', { replyTo: 'staff@example.com', headers: { 'X-Request-Id': 'abc' } }],
  ['a subject that is folded and encoded', { subject: `Ünïcödé – ${'Datenbankprüfung '.repeat(9)}` }],
  ['line breaks in a subject', { subject: 'one\r\nBcc: eve@example.com' }],
  ['line breaks in a header', { headers: { 'X-Request-Id': 'one\r\nBcc: eve@example.com' } }],
  ['an address with a comma', { to: '"a,b"@example.com' }],
  ['an international domain', { to: 'ada@bücher.example' }],
  ['an international mailbox', { to: 'ädä@example.com', replyTo: 'ädä@bücher.example' }],
  ['a list to unsubscribe from', { headers: { 'List-Unsubscribe': '<https://querywright.example/u/1>' } }],
  ['content of many lines', { text: 'Grüße\n.\n'.repeat(500), html: `<p>${'—'.repeat(2_000)}</p>` }],
])('composes what nodemailer composes: %s', async (_, changes) => {
  const mail = { ...plain, ...changes };
  const message = new MimeMessage({ from, ...mail });
  const { to, ...same } = mail;
  const composed = new MailComposer({
    ...same,
    from,
    to: { name: '', address: to },
    encoding: 'base64',
  }).compile();
  expect(message.getEnvelope()).toEqual(composed.getEnvelope());
  expect(message.messageId()).toBe(mail.messageId);
  const content = await text(message.createReadStream());
  expect(withoutBoundary(content)).toBe(withoutBoundary(String(await composed.build())));
});

test('a message that was not read can be sent over another connection', async () => {
  const message = new MimeMessage({ from, ...plain });
  message.createReadStream().destroy();
  expect(await text(message.createReadStream())).toContain('Subject: Your order');
});

test('a message cannot be read twice', async () => {
  const message = new MimeMessage({ from, ...plain });
  await text(message.createReadStream());
  await expect(text(message.createReadStream())).rejects.toThrow('read before');
});

/** The random part of both boundaries, and the order of the headers, which means nothing. */
function withoutBoundary(message: string): string {
  const boundary = /boundary="([^"]+)"/.exec(message)?.[1] ?? 'none';
  const [head = '', ...body] = message.replaceAll(boundary, 'boundary').split('\r\n\r\n');
  const headers = head
    .replace(/\r\n\s+/g, ' ')
    .split('\r\n')
    .sort();
  return [...headers, ...body].join('\n\n');
}
