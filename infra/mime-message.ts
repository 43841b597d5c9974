import MimeNode from 'nodemailer/lib/mime-node';

/** RFC 2045 §6.8. */
const LINE_LENGTH = 76;

export interface OutgoingMail {
  to: string;
  replyTo?: string;
  subject: string;
  html: string;
  text: string;
  messageId: string;
  headers?: Record<string, string>;
}

export type MimeMessage = ReturnType<typeof toMimeMessage>;

/**
 * The bytes of a message and its envelope. nodemailer builds the headers only: composing the parts too, it pipes each through
 * several streams, which takes more CPU time than sending does. Base64 is cheaper to encode than quoted-printable, and
 * SpamAssassin 4 scores both the same for UTF-8.
 */
export function toMimeMessage(mail: OutgoingMail & { from: string }) {
  const root = new MimeNode('multipart/alternative');
  root.setHeader({ From: mail.from, To: { name: '', address: mail.to }, 'Reply-To': mail.replyTo ?? [] });
  root.setHeader({ Subject: mail.subject, 'Message-ID': mail.messageId, ...mail.headers });
  // Sets the boundary.
  const headers = root.buildHeaders();
  const raw = [
    headers,
    '',
    `--${root.boundary}`,
    ...partOf('text/plain', mail.text),
    `--${root.boundary}`,
    ...partOf('text/html', mail.html),
    `--${root.boundary}--`,
    '',
  ].join('\r\n');
  // Without the id nodemailer makes one, for its log.
  return { envelope: root.getEnvelope(), messageId: mail.messageId, raw };
}

function partOf(type: string, content: string): string[] {
  return [
    `Content-Type: ${type}; charset=utf-8`,
    'Content-Transfer-Encoding: base64',
    '',
    base64Lines(content),
  ];
}

/** Three times as fast as nodemailer's `wrap`, which matches every line. */
function base64Lines(content: string): string {
  const encoded = Buffer.from(content).toString('base64');
  const lines = [];
  for (let start = 0; start < encoded.length; start += LINE_LENGTH) {
    lines.push(encoded.slice(start, start + LINE_LENGTH));
  }
  return lines.join('\r\n');
}
