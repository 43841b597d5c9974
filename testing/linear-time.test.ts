import { expect, test } from 'vitest';
import { readJson } from '../api/http/json-body.ts';
import { contactRequest } from '../core/contact.ts';
import { formatMoney, fromDecimalString } from '../core/money.ts';
import { confirmPaymentRequest, idempotencyKey, orderPath, paypalOrderPath } from '../core/orders.ts';
import { safeReturnPath } from '../core/return-path.ts';
import { emailAddress, isUuid, line, lines } from '../core/text.ts';
import { withoutTrailingSlashes } from '../core/trailing-slashes.ts';
import { clientKey, clientNetwork } from '../infra/client-key.ts';
import { readConfig } from '../infra/config.ts';
import { createTokens } from '../infra/tokens.ts';
import { readChain } from '../providers/paypal/certificate-chain.ts';
import { certificateSource } from '../providers/paypal/certificates.ts';
import { stripeWebhook } from '../providers/stripe/webhook.ts';

// Whatever reads what strangers send takes a time in proportion to its length. The regular expressions themselves are
// judged by scripts/check-regexes.mjs.

const SIZE = 100_000;
const MAX_MS = 50;

const config = readConfig({ NODE_ENV: 'test', DATABASE_URL: 'postgres://localhost/x' });
const stripe = stripeWebhook(config.stripe);
const certificates = certificateSource(config.paypal);
const tokens = createTokens(config.sessionSecrets);
const bytes = (text: string) => new TextEncoder().encode(text);

const parsers: Record<string, (text: string) => unknown> = {
  'a JSON body': (text) => readJson(bytes(text)),
  'a JSON string': (text) => readJson(bytes(JSON.stringify({ text }))),
  'a contact message': (text) => contactRequest.safeParse({ name: text, email: text, message: text }),
  'a line': (text) => line('Name', 200).safeParse(text),
  'a text': (text) => lines('Message', 5_000).safeParse(text),
  'an e-mail address': (text) => emailAddress.safeParse(text),
  'the local part of an address': (text) => emailAddress.safeParse(`${text}@example.com`),
  'the domain of an address': (text) => emailAddress.safeParse(`a@${text}`),
  'an idempotency key': (text) => idempotencyKey.safeParse(text),
  'an order id': (text) => [orderPath.safeParse({ orderId: text }), isUuid(text)],
  'a payment id': (text) => confirmPaymentRequest.safeParse({ orderId: text, paymentIntentId: text }),
  'a PayPal order id': (text) => paypalOrderPath.safeParse({ paypalOrderId: text }),
  'an amount': (text) => [fromDecimalString(text), formatMoney(Number.MAX_SAFE_INTEGER, text)],
  'a return path': (text) => [safeReturnPath(text), safeReturnPath(`/${text}`)],
  'a path': (text) => withoutTrailingSlashes(text),
  'an address': (text) => [clientKey(text), clientNetwork(text)],
  'a mail token': (text) => tokens.verify('newsletter-confirm', text),
  'a Stripe signature': (text) => stripe.headerFault(() => text),
  'a certificate address': (text) =>
    certificates.isPaypals(`${config.paypal.apiUrl}/v1/notifications/certs/${text}`),
  'a certificate chain': (text) => readChain(text),
};

const pieces = [
  ...[
    'a',
    'A1',
    '0',
    '-',
    '.',
    '..',
    '/',
    '//',
    '\\',
    '@',
    'a@',
    'a@a.',
    'a.a-',
    '%',
    '%25',
    '%2f',
    ':',
    '::1',
    '=',
    '=',
  ],
  ...[
    ' ',
    '\t',
    '\r\n',
    '\0',
    '"',
    '\\"',
    '[',
    '{"a":',
    '[1,',
    '{"a":1,',
    '1e9',
    ',',
    ';',
    ',v1=',
    't=1,',
    'v1=ab,',
  ],
  ...[
    '-----BEGIN CERTIFICATE-----',
    '-----END CERTIFICATE-----',
    'é',
    '\u{1F600}',
    '\u0301',
    '\u202e',
    '<script>',
    '__proto__',
  ],
];

test.each(Object.keys(parsers))('%s of 100 kB takes less than 50 ms', (name) => {
  const parse = parsers[name] ?? (() => {});
  for (const piece of pieces) {
    const filler = piece.repeat(SIZE / piece.length);
    for (const text of [filler, `${filler}!`, `x${filler}`])
      expect(
        leastMs(() => parse(text)),
        JSON.stringify(piece),
      ).toBeLessThan(MAX_MS);
  }
});

/** Processor time, the least of a few tries: other processes and the garbage collector take time as well. */
function leastMs(act: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 5 && least >= MAX_MS; attempt++) {
    const start = process.cpuUsage();
    try {
      act();
    } catch {
      // A refusal is an answer.
    }
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}
