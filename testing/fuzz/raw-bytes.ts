import fc, { type Arbitrary } from 'fast-check';
import { nastyStrings } from './corpus.ts';

// Requests that no client would write. None of them can store anything, whatever edit is applied to them.

function request(line: string, headers: string[], body = ''): string {
  const all = [line, 'Host: localhost', 'Connection: close', ...headers];
  return `${all.join('\r\n')}\r\n\r\n${body}`;
}

const json = (path: string, body: string, extra: string[] = []) =>
  request(
    `POST ${path} HTTP/1.1`,
    ['Content-Type: application/json', `Content-Length: ${body.length}`, ...extra],
    body,
  );

const robot = '{"name":"R","email":"r@fuzz.example","message":"m","website":"x"}';
const chunked = `POST /api/contact HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${robot.length.toString(16)}\r\n${robot}\r\n0\r\n\r\n`;

const stripeSignature = `Stripe-Signature: t=${Math.floor(Date.now() / 1_000)},v1=${'a'.repeat(64)}`;

const honest = [
  request('GET / HTTP/1.1', []),
  request('GET /pricing HTTP/1.1', ['Accept-Encoding: gzip, br']),
  request('GET /api/services HTTP/1.1', []),
  request('GET /api/services/audit HTTP/1.0', []),
  request('GET /api/orders/00000000-0000-4000-8000-000000000000/events HTTP/1.1', []),
  request('GET /favicon.svg HTTP/1.1', ['Range: bytes=0-10']),
  request('GET /api/callback?state=x&code=y HTTP/1.1', ['Cookie: session=s%3Aabc.def']),
  request('OPTIONS * HTTP/1.1', []),
  request('GET http://localhost/api/services HTTP/1.1', []),
  json('/api/contact', robot),
  chunked,
  json(
    '/api/create-payment-intent',
    '{"serviceId":"audit","customerName":"R","customerEmail":"r@fuzz.example","amount":1}',
  ),
  json('/api/webhooks/stripe', '{"id":"evt_raw","type":"x"}', ['Stripe-Signature: t=1,v1=0']),
  json('/api/webhooks/paypal', '{"id":"WH-RAW"}', ['Paypal-Transmission-Id: x']),
  // A well-formed signature, so that the body is read.
  json('/api/webhooks/stripe', '{"id":"evt_raw","type":"x"}', [stripeSignature]),
  json('/csp-report', '{"csp-report":{"blocked-uri":"x"}}'),
  json('/api/contact', robot, ['Content-Encoding: gzip']),
];

const insertions = [
  '\r\n',
  '\n',
  '\r',
  '\0',
  '\r\n\r\n',
  ' ',
  '\t',
  ':',
  ';',
  '\xff',
  'Content-Length: 5\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding: \x0bchunked\r\n',
  'Expect: 100-continue\r\n',
  'Expect: x\r\n',
  'Upgrade: h2c\r\nConnection: Upgrade\r\n',
  'Host: evil.example\r\n',
  ' folded\r\n',
  `X: ${'y'.repeat(17_000)}\r\n`,
  'X: y\r\n'.repeat(2_100),
  `${'a'.repeat(9_000)}`,
  'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'HTTP/1.1 200 OK\r\n\r\n',
  'ffffffffffffffff\r\n',
  '-1\r\n',
  '5;ext="x"\r\n',
];

type Edit = (bytes: Buffer) => Buffer;

const at = fc.nat(1_000);
const edit: Arbitrary<Edit> = fc.oneof(
  fc.tuple(at, fc.nat(255)).map(
    ([place, byte]): Edit =>
      (bytes) => {
        const copy = Buffer.from(bytes);
        copy[place % bytes.length] = byte;
        return copy;
      },
  ),
  fc.tuple(at, fc.oneof(fc.constantFrom(...insertions), fc.constantFrom(...nastyStrings))).map(
    ([place, text]): Edit =>
      (bytes) =>
        insert(bytes, place, text),
  ),
  fc.tuple(at, fc.nat(40)).map(
    ([place, length]): Edit =>
      (bytes) => {
        const start = place % bytes.length;
        return Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + length)]);
      },
  ),
  at.map(
    (place): Edit =>
      (bytes) =>
        bytes.subarray(0, place % bytes.length),
  ),
);

function insert(bytes: Buffer, place: number, text: string): Buffer {
  const start = place % bytes.length;
  return Buffer.concat([bytes.subarray(0, start), Buffer.from(text, 'latin1'), bytes.subarray(start)]);
}

/** Bytes for a socket: a valid request with one to four edits, or noise. */
export const rawBytes: Arbitrary<Uint8Array> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.constantFrom(...honest), fc.array(edit, { minLength: 1, maxLength: 4 }))
      .map(([text, edits]) =>
        edits.reduce<Buffer>(
          (bytes, change) => (bytes.length > 0 ? change(bytes) : bytes),
          Buffer.from(text, 'latin1'),
        ),
      ),
  },
  { weight: 1, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 2_000 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 300 }).map((text) => Buffer.from(`${text}\r\n\r\n`)) },
);
