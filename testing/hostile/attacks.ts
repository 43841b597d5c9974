import { createHash, randomUUID } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { serviceBySlug } from '../../core/services.ts';

/** One hostile request. */
export interface Shot {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** Sent in one go, or with `stalls` only in part. */
  body?: Buffer | undefined;
  stalls?: boolean;
}

export interface Attack {
  name: string;
  /** How many shots at once. */
  atOnce: number;
  /** Whether anything of it may be accepted at all. */
  isAcceptable: boolean;
  shot(n: number): Shot;
}

export interface Scene {
  /** Where PayPal's genuine certificates are. */
  paypalCertificates: string;
}

const json = { 'content-type': 'application/json' };
const bomb = Buffer.from(`{"id":"evt_bomb","padding":"${'0'.repeat(1_000_000)}"}`);
const megabyte = Buffer.alloc(1_048_576, 0x20);
const small = Buffer.from(JSON.stringify({ id: 'evt_forged', type: 'payment_intent.succeeded' }));
const large = Buffer.concat([small, Buffer.alloc(200_000, 0x20)]);

/** Everything that strangers try, each from one address or from a thousand. */
export function attacks(scene: Scene): Attack[] {
  const [gzip, brotli] = [gzipSync(bomb), brotliCompressSync(bomb)];
  const forgery = (name: string, make: (n: number) => Partial<Shot>, atOnce = 64): Attack => ({
    name: `webhooks, ${name}`,
    atOnce,
    isAcceptable: false,
    shot(n) {
      const { headers, ...rest } = make(n);
      const [path, signature] = n % 2 === 0 ? stripe() : paypal(scene, n);
      return { method: 'POST', path, body: small, ...rest, headers: { ...json, ...signature, ...headers } };
    },
  });
  return [
    forgery('malformed signature', () => ({
      headers: { 'stripe-signature': 't=1,v1=aa', 'paypal-auth-algo': 'x' },
    })),
    forgery('wrong signature', () => ({})),
    forgery('gzip', () => ({ body: gzip, headers: { 'content-encoding': 'gzip' } })),
    forgery('brotli', () => ({ body: brotli, headers: { 'content-encoding': 'br' } })),
    forgery('chunked', () => ({ body: large, headers: { 'transfer-encoding': 'chunked' } })),
    forgery('1 MB', () => ({ body: megabyte })),
    forgery('1 MB chunked', () => ({ body: megabyte, headers: { 'transfer-encoding': 'chunked' } })),
    forgery('slow', () => ({ body: large, stalls: true }), 1_000),
    spam('contact', '/api/contact', () => ({ name: 'Mallory', email: stranger(), message: 'Buy!' })),
    spam('newsletter', '/api/newsletter/subscribe', () => ({ email: stranger() })),
    spam('orders', '/api/create-payment-intent', () => ({
      serviceId: 'audit',
      customerName: 'Mallory',
      customerEmail: stranger(),
      amount: serviceBySlug('audit').price,
    })),
    {
      name: 'slash paths',
      atOnce: 64,
      isAcceptable: false,
      shot: () => ({ method: 'GET', path: `${'/'.repeat(8_000)}a`, headers: {} }),
    },
  ];
}

function spam(name: string, path: string, body: () => object): Attack {
  return {
    name: `spam, ${name}`,
    atOnce: 32,
    isAcceptable: true,
    shot: () => ({ method: 'POST', path, headers: json, body: Buffer.from(JSON.stringify(body())) }),
  };
}

/** Shaped as Stripe's, so that only its digest gives it away. */
function stripe(): [string, Record<string, string>] {
  const digest = createHash('sha256').update(randomUUID()).digest('hex');
  return ['/api/webhooks/stripe', { 'stripe-signature': `t=${Math.floor(Date.now() / 1_000)},v1=${digest}` }];
}

/** By a genuine certificate, or by one that PayPal does not have. */
function paypal({ paypalCertificates }: Scene, n: number): [string, Record<string, string>] {
  const certificate = n % 4 === 1 ? 'CERT-SANDBOX-1' : `CERT-${randomUUID()}`;
  return [
    '/api/webhooks/paypal',
    {
      'paypal-transmission-id': randomUUID(),
      'paypal-transmission-time': new Date().toISOString(),
      'paypal-transmission-sig': 'A'.repeat(344),
      'paypal-cert-url': `${paypalCertificates}${certificate}`,
      'paypal-auth-algo': 'SHA256withRSA',
    },
  ];
}

function stranger(): string {
  return `${randomUUID()}@victim.example`;
}
