import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { request } from '../../testing/request.ts';
import { type Shop, startShop } from '../../testing/shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await startShop({ site: true, env: { PUBLIC_URL: 'https://querywright.example' } });
});
afterAll(() => shop.close());

const everywhere = {
  'strict-transport-security': 'max-age=63072000; includeSubDomains; preload',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-resource-policy': 'same-origin',
};

test.each(['/', '/pricing', '/api/services', '/api/nothing', '/nothing', '/healthz'])(
  '%s carries the headers of every answer',
  async (path) => {
    const { headers } = await request(`${shop.url}${path}`);
    expect(Object.fromEntries(headers)).toMatchObject(everywhere);
    expect(headers.get('permissions-policy')).toContain('camera=()');
    expect(headers.get('x-powered-by')).toBeNull();
  },
);

describe('policies', () => {
  test.each(['/', '/about', '/services/database-audit', '/success', '/nothing'])(
    '%s allows files of the site only',
    async (path) => {
      const { headers } = await request(`${shop.url}${path}`);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|stripe|paypal/);
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('cross-origin-embedder-policy')).toBe('credentialless');
    },
  );

  test('the checkout allows the providers and popups, with a new nonce per answer', async () => {
    const [first, second] = await Promise.all([
      request(`${shop.url}/pricing`),
      request(`${shop.url}/pricing`),
    ]);
    const policy = first.headers.get('content-security-policy') ?? '';
    expect(policy).toContain('https://js.stripe.com');
    expect(policy).toContain('https://*.paypal.com');
    expect(policy).not.toContain('unsafe');
    const nonce = (text: string | null) => /'nonce-([\w+/=]{22,})'/.exec(text ?? '')?.[1];
    expect(nonce(policy)).toBeDefined();
    expect(nonce(policy)).not.toBe(nonce(second.headers.get('content-security-policy')));
    expect(first.headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups');
    expect(first.headers.get('cross-origin-embedder-policy')).toBeNull();
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect(first.headers.get('content-encoding')).toBe('gzip');
    expect(await first.text()).not.toMatch(/<script[^>]+(stripe|paypal)/);
  });

  test('accepts a browser’s report, but not an oversized one', async () => {
    const send = (body: unknown) =>
      request(`${shop.url}/csp-report`, {
        method: 'POST',
        headers: { 'content-type': 'application/csp-report' },
        body: JSON.stringify(body),
      });
    expect(
      (
        await send({
          'csp-report': { 'blocked-uri': 'https://evil.example', 'effective-directive': 'img-src' },
        })
      ).status,
    ).toBe(204);
    expect((await send({ padding: 'x'.repeat(20_000) })).status).toBe(413);
  });
});

describe('pages and files', () => {
  test('a page names its own address, and revalidates by its tag', async () => {
    const page = await request(`${shop.url}/about`);
    expect(await page.text()).toContain('https://querywright.example/about');
    const again = await request(`${shop.url}/about`, {
      headers: { 'if-none-match': page.headers.get('etag') ?? '', 'cache-control': 'max-age=0' },
    });
    expect(again.status).toBe(304);
  });

  test('hashed files are immutable and precompressed; unknown ones are 404', async () => {
    const html = await (await request(`${shop.url}/`)).text();
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? '';
    const file = await request(`${shop.url}${script}`, { headers: { 'accept-encoding': 'br' } });
    expect(file.headers.get('content-encoding')).toBe('br');
    expect(file.headers.get('cache-control')).toContain('immutable');
    expect((await request(`${shop.url}/assets/nothing.js`)).status).toBe(404);
  });

  test.each([
    '/.env',
    '/.git/config',
    '/..%2f..%2fpackage.json',
    '/%00',
    '/assets/%2e%2e/%2e%2e/pages/index.html',
    '/package.json',
  ])('%s is not served', async (path) => {
    expect([400, 404]).toContain((await request(`${shop.url}${path}`)).status);
  });

  test('robots and sitemap name the site’s own address', async () => {
    expect(await (await request(`${shop.url}/robots.txt`)).text()).toContain(
      'https://querywright.example/sitemap.xml',
    );
    expect(await (await request(`${shop.url}/sitemap.xml`)).text()).toContain(
      '<loc>https://querywright.example/pricing</loc>',
    );
  });
});

describe('what only a proxy may say', () => {
  test('is ignored from anyone else', async () => {
    const direct = await startShop({
      site: true,
      env: { PUBLIC_URL: 'https://querywright.example', TRUST_PROXY: 'false' },
    });
    const answer = await request(`${direct.url}/pricing`, { headers: { 'x-forwarded-proto': 'http' } });
    expect(answer.status).toBe(200);
    await direct.close();
  });
});

describe('in production', () => {
  let live: Shop;
  beforeAll(async () => {
    live = await startShop({
      site: true,
      env: { PUBLIC_URL: 'https://querywright.example' },
      parts: ({ config }) => ({ config: { ...config, production: true } }),
    });
  });
  afterAll(() => live.close());

  test.each([
    ['querywright.example', 200],
    ['QUERYWRIGHT.example:443', 200],
    ['evil.example', 421],
    ['querywright.example.evil.example', 421],
    ['localhost', 421],
  ])('the host %s is %i', async (host, status) => {
    for (const path of ['/', '/api/services'])
      expect((await request(`${live.url}${path}`, { headers: { host } })).status).toBe(status);
    expect((await request(`${live.url}/healthz`, { headers: { host } })).status).toBe(200);
  });

  test.each([
    ['https://querywright.example', 400],
    ['http://querywright.example', 403],
    ['https://evil.example', 403],
    ['null', 403],
  ])('a call from a page of %s is %i', async (origin, status) => {
    const headers = { host: 'querywright.example', 'content-type': 'application/json', origin };
    const answer = await request(`${live.url}/api/contact`, { method: 'POST', headers, body: '{}' });
    expect(answer.status).toBe(status);
  });
});

test.each(['POST', 'PUT', 'DELETE', 'TRACE', 'OPTIONS'])('%s of a page is 405', async (method) => {
  for (const path of ['/', '/pricing', '/nothing']) {
    const answer = await request(`${shop.url}${path}`, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
  }
});

test('security.txt names a contact and an expiry date', async () => {
  const answer = await request(`${shop.url}/.well-known/security.txt`);
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const text = await answer.text();
  expect(text).toMatch(/^Contact: https:\/\/querywright\.example\/contact$/m);
  const expires = Date.parse(/^Expires: (.*)$/m.exec(text)?.[1] ?? '');
  expect(expires).toBeGreaterThan(Date.now() + 90 * 86_400_000);
  expect(expires).toBeLessThan(Date.now() + 365 * 86_400_000);
});
