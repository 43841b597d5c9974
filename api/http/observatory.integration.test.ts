import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { observe, type Visit } from '../../testing/observatory.ts';
import { request } from '../../testing/request.ts';
import { type Shop, startShop } from '../../testing/shop.ts';

const site = 'https://querywright.example';
/** Without them the checkout admits the local sandbox, which speaks no https. Nothing is asked of them here. */
const realProviders = { STRIPE_SECRET_KEY: 'sk_test_scan', PAYPAL_CLIENT_ID: 'scan' };
const scanner = 'https://scanner.example';

let shop: Shop;
let signInCookies: string[];
beforeAll(async () => {
  shop = await startShop({ site: true, env: { PUBLIC_URL: site, ...realProviders } });
  signInCookies = (await asked('/api/login')).headers.getSetCookie();
});
afterAll(() => shop.close());

const marketing = [
  '/',
  '/about',
  '/services',
  '/services/database-audit',
  '/services/schema-design',
  '/services/optimization',
  '/services/migration-planning',
  '/contact',
  '/enroll',
  '/success',
  '/newsletter/confirm',
  '/nothing',
];

describe('by the Observatory’s rules', () => {
  test.each(marketing)('%s has 160, and 155 for a visitor without a cookie', async (path) => {
    const visit = await visitOf(path);
    expect(visit.cookies, 'a page itself sets none').toEqual([]);
    expect(observe(visit)).toMatchObject({ score: 155 });
    expect(observe({ ...visit, cookies: signInCookies })).toMatchObject({ score: 160 });
  });

  test('the checkout has 150, and 145 for a visitor without a cookie', async () => {
    const visit = await visitOf('/pricing');
    expect(observe(visit)).toMatchObject({ score: 145, points: { embedderPolicy: 0 } });
    expect(observe({ ...visit, cookies: signInCookies })).toMatchObject({ score: 150 });
  });

  test.each(['/api/login', '/api/callback', '/api/logout'])(
    'the page of a refused %s has 150',
    async (path) => {
      const visit = await visitOf(path, { 'sec-fetch-site': 'cross-site' });
      expect(visit.html).toContain('<!doctype html>');
      expect(observe(visit).score).toBeGreaterThanOrEqual(150);
    },
  );

  test('a missing header lowers the score', async () => {
    const visit = await visitOf('/');
    const headers = new Headers(visit.headers);
    headers.delete('content-security-policy');
    expect(observe({ ...visit, headers }).score).toBe(75);
  });

  test('the cookie of a sign-in is HttpOnly and bound to this host', () => {
    expect(signInCookies).toHaveLength(1);
    expect(signInCookies[0]).toMatch(/^__Host-sign-in=.*; HttpOnly/);
  });
});

test('a request that reached the proxy over plain HTTP is redirected to HTTPS', async () => {
  const answer = await asked('/pricing?service=audit', { 'x-forwarded-proto': 'http' });
  expect(answer.status).toBe(301);
  expect(answer.headers.get('location')).toBe(`${site}/pricing?service=audit`);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('vary')).toContain('X-Forwarded-Proto');
  expect(await answer.text()).toBe('');
  const foreign = await asked('//evil.example', { 'x-forwarded-proto': 'http' });
  expect(new URL(foreign.headers.get('location') ?? '').host).toBe('querywright.example');
});

/** What a scanner sees of a page. The proxy terminates TLS and says so in a header. */
async function visitOf(path: string, headers: Record<string, string> = {}): Promise<Visit> {
  const [page, foreign, plain] = await Promise.all([
    asked(path, headers),
    asked(path, { ...headers, origin: scanner }),
    asked(path, { ...headers, 'x-forwarded-proto': 'http' }),
  ]);
  return {
    headers: page.headers,
    html: await page.text(),
    cookies: page.headers.getSetCookie(),
    foreign: { headers: foreign.headers, origin: scanner },
    redirects: [`http://querywright.example${path}`, plain.headers.get('location') ?? ''].filter(Boolean),
  };
}

function asked(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return request(`${shop.url}${path}`, {
    headers: { 'x-forwarded-proto': 'https', ...headers },
  });
}
