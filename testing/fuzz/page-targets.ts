import { Visitor } from '../visitor.ts';
import type { Target } from './target.ts';
import { pick } from './world.ts';

const reads = [
  '/api/services',
  '/api/services/audit',
  '/api/services/migration',
  '/api/config',
  '/api/paypal/setup',
  '/healthz',
  '/readyz',
];
const pages = [
  '/',
  '/about',
  '/services',
  '/services/database-audit',
  '/pricing',
  '/contact',
  '/enroll',
  '/success',
  '/newsletter/unsubscribe',
  '/robots.txt',
  '/sitemap.xml',
  '/favicon.svg',
  '/site.webmanifest',
];
const packings = ['gzip', 'br', 'identity', '*;q=0', ''];

export const pageTargets: Target[] = [
  {
    name: 'services and health',
    accepts: [200],
    draft: (_world, salt) => ({ method: 'GET', path: pick(reads, salt) ?? '/', headers: {} }),
  },
  {
    name: 'signing in and out',
    accepts: [303, 401, 200],
    async draft(world, salt) {
      const visitor = new Visitor(world);
      if (salt % 8 === 0) {
        const callback = new URL(await visitor.goThroughSignIn('person-nameless'));
        const headers = { cookie: visitor.cookieHeader() };
        return { method: 'GET', path: callback.pathname + callback.search, headers };
      }
      const headers = { cookie: salt % 2 === 0 ? (pick(world.visitors, salt)?.cookieHeader() ?? '') : '' };
      const path = pick(['/api/login', '/api/login?returnTo=/pricing', '/api/auth/user'], salt) ?? '/';
      return { method: 'GET', path: salt % 16 === 1 ? '/api/logout' : path, headers };
    },
  },
  {
    name: 'unfinished sign-ins',
    accepts: [400],
    async draft(world, salt) {
      const visitor = new Visitor(world);
      const login = salt % 4 === 0 ? await visitor.get('/api/login') : undefined;
      const query = new URLSearchParams({
        code: `code-${salt}`,
        iss: world.config.oidc.issuer,
        ...(salt % 3 === 0 ? { error: '<script>alert(1)</script>' } : {}),
        state: new URL(login?.headers.get('location') ?? 'x:').searchParams.get('state') ?? 'foreign',
      });
      return { method: 'GET', path: `/api/callback?${query}`, headers: { cookie: visitor.cookieHeader() } };
    },
  },
  {
    name: 'pages and files',
    accepts: [200],
    draft: (_world, salt) => ({
      method: salt % 9 === 0 ? 'HEAD' : 'GET',
      path: pick(pages, salt) ?? '/',
      headers: { 'accept-encoding': pick(packings, salt) ?? '' },
    }),
  },
  {
    name: 'policy reports',
    accepts: [204],
    draft: (_world, salt) => ({
      method: 'POST',
      path: '/csp-report',
      headers: { 'content-type': salt % 2 === 0 ? 'application/csp-report' : 'application/reports+json' },
      body: JSON.stringify(
        salt % 2 === 0
          ? {
              'csp-report': {
                'effective-directive': 'img-src',
                'blocked-uri': `https://evil.example/${salt}`,
              },
            }
          : [{ type: 'csp-violation', body: { effectiveDirective: 'img-src', blockedURL: 'inline' } }],
      ),
    }),
  },
];
