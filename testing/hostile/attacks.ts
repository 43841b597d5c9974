import { createHash, randomUUID } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { serviceBySlug } from '../../core/services.ts';
import { limits } from '../../infra/rate-limits.ts';

/** One hostile request. */
export interface Shot {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** Sent at once, or with `stalls` only in part. */
  body?: Buffer | undefined;
  stalls?: boolean;
  /** What a connection carries after the head, as it is. Its sender reads no answer while it floods. */
  flood?: string;
}

export interface Attack {
  name: string;
  /** How many shots at once. */
  atOnce: number;
  /** By default one, if any may be accepted. */
  leastAccepted?: number;
  /** How many may be accepted; any number by default. */
  mostAccepted?: number;
  /** Each shot comes from another /64 of one /48. */
  isFromOneNetwork?: boolean;
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
    mostAccepted: 0,
    shot(n) {
      const { headers, ...rest } = make(n);
      const [path, signature] = n % 2 === 0 ? stripe() : paypal(scene, n);
      return { method: 'POST', path, body: small, ...rest, headers: { ...json, ...signature, ...headers } };
    },
  });
  const spams = [
    spam('contact', '/api/contact', () => ({ name: 'Mallory', email: stranger(), message: 'Buy!' })),
    spam('newsletter', '/api/newsletter/subscribe', () => ({ email: stranger() })),
    spam('orders', '/api/create-payment-intent', () => ({
      serviceId: 'audit',
      customerName: 'Mallory',
      customerEmail: stranger(),
      amount: serviceBySlug('audit').price,
    })),
  ];
  const [contact, newsletter, orders] = spams as [Attack, Attack, Attack];
  const login = { atOnce: 32, shot: () => ({ method: 'GET', path: '/api/login', headers: {} }) };
  return [
    // First, while the limits of all clients together have room.
    fromOneNetwork(contact, limits['contact-network'].points),
    fromOneNetwork(newsletter, limits['newsletter-network'].points),
    fromOneNetwork(orders, limits['create-order-network'].points),
    fromOneNetwork({ ...login, name: 'sign-ins' }, limits['login-network'].points),
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
    ...spams,
    {
      name: 'slash paths',
      atOnce: 64,
      mostAccepted: 0,
      shot: () => ({ method: 'GET', path: `${'/'.repeat(8_000)}a`, headers: {} }),
    },
    {
      // Those that arrive slowly enough to be answered in turn may all be.
      name: 'pipelined requests',
      atOnce: 64,
      leastAccepted: 0,
      shot: () => ({ method: 'GET', path: '/', headers: {}, flood: pipelined }),
    },
    {
      name: 'chunks of a byte',
      atOnce: 64,
      mostAccepted: 0,
      shot(n) {
        const path = ['/api/contact', '/api/webhooks/stripe'][n % 2] ?? '';
        const headers = { ...json, ...stripe()[1], 'transfer-encoding': 'chunked' };
        return { method: 'POST', path, headers, flood: crumbs };
      },
    },
  ];
}

const pipelined = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(1_400);
const crumbs = '1\r\n0\r\n'.repeat(2_000);

function fromOneNetwork(attack: Attack, mostAccepted: number): Attack {
  return { ...attack, name: `${attack.name}, one /48`, mostAccepted, isFromOneNetwork: true };
}

function spam(name: string, path: string, body: () => object): Attack {
  return {
    name: `spam, ${name}`,
    atOnce: 32,
    shot: () => ({ method: 'POST', path, headers: json, body: Buffer.from(JSON.stringify(body())) }),
  };
}

/** Shaped as Stripe's, so that only its digest gives it away. */
function stripe(): [string, Record<string, string>] {
  const digest = createHash('sha256').update(randomUUID()).digest('hex');
  return ['/api/webhooks/stripe', { 'stripe-signature': `t=${Math.floor(Date.now() / 1_000)},v1=${digest}` }];
}

/** Signed with a genuine certificate, or with one that PayPal does not have. */
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
