import { describe, expect, test } from 'vitest';
import { createIdentityProvider } from '../../infra/identity.ts';
import { createRateLimits } from '../../infra/rate-limits.ts';
import { connectRedis } from '../../infra/redis.ts';
import { createSealed } from '../../infra/sealed.ts';
import { redisPrefix } from '../../infra/user-sessions.ts';
import { withShop } from '../../testing/shop.ts';
import { editSession, readSession, startSecondWeb, Visitor } from '../../testing/visitor.ts';
import type { KeptLogin } from './pending-logins.ts';

const shop = await withShop();

describe('a callback that is rejected', () => {
  test.each<[string, (callback: URL) => void]>([
    ['a forged state', (callback) => callback.searchParams.set('state', 'forged')],
    ['no state', (callback) => callback.searchParams.delete('state')],
    ['the state of a prototype', (callback) => callback.searchParams.set('state', '__proto__')],
    ['two states', (callback) => callback.searchParams.append('state', 'another')],
    ['a forged code', (callback) => callback.searchParams.set('code', 'forged')],
    ['no code', (callback) => callback.searchParams.delete('code')],
    ['another issuer', (callback) => callback.searchParams.set('iss', 'https://evil.example')],
    ['markup for an error', (callback) => callback.searchParams.set('error', '<script>alert(1)</script>')],
  ])('%s is a 400 page', async (_what, forge) => {
    const visitor = new Visitor(shop);
    const callback = new URL(await visitor.goThroughSignIn('person-pending'));
    forge(callback);
    await expectRefusal(visitor, callback.href);
  });

  test('an answer brought a second time', async () => {
    const visitor = new Visitor(shop);
    const callback = await visitor.goThroughSignIn('person-pending');
    expect((await visitor.get(callback)).status).toBe(303);
    expect((await visitor.get(callback)).status).toBe(400);
    expect((await visitor.whoAmI()).status, 'and who is in stays in').toBe(200);
  });

  test('a code replayed with another state', async () => {
    const [ada, eve] = [new Visitor(shop), new Visitor(shop)];
    const spent = new URL(await ada.goThroughSignIn('person-pending'));
    const stolen = new URL(await eve.goThroughSignIn('person-nameless'));
    stolen.searchParams.set('code', spent.searchParams.get('code') ?? '');
    await expectRefusal(eve, stolen.href);
  });

  test('an answer meant for another browser', async () => {
    const callback = await new Visitor(shop).goThroughSignIn('person-pending');
    await expectRefusal(new Visitor(shop), callback);
  });

  test.each(['nonce', 'codeVerifier'] as const)('a %s that differs from the kept one', async (what) => {
    const visitor = new Visitor(shop);
    const callback = await visitor.goThroughSignIn('person-pending');
    editLogins(visitor, (login) => {
      login[what] = 'x'.repeat(43);
    });
    await expectRefusal(visitor, callback);
  });

  test('a sign-in that took longer than a quarter of an hour', async () => {
    const visitor = new Visitor(shop);
    const callback = await visitor.goThroughSignIn('person-pending');
    editLogins(visitor, (login) => {
      login.startedAt -= 16 * 60_000;
    });
    await expectRefusal(visitor, callback);
  });

  test('two answers at once: one signs in', async () => {
    const visitor = new Visitor(shop);
    const callback = await visitor.goThroughSignIn('person-pending');
    const twins = [new Visitor(shop), new Visitor(shop)];
    for (const twin of twins) for (const cookie of visitor.cookies) twin.cookies.set(...cookie);
    const answers = await Promise.all(twins.map((twin) => twin.get(callback)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([303, 400]);
  });
});

test('canceling at the provider returns to the page, signed out', async () => {
  const visitor = new Visitor(shop);
  const login = await visitor.get('/api/login?returnTo=/about');
  const state = new URL(login.headers.get('location') ?? '').searchParams.get('state');
  const iss = encodeURIComponent(shop.config.oidc.issuer);
  const answer = await visitor.get(`/api/callback?error=access_denied&state=${state}&iss=${iss}`);
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/about']);
  expect((await visitor.whoAmI()).status).toBe(401);
});

test('concurrent sign-ins in two tabs both succeed', async () => {
  const visitor = new Visitor(shop);
  const first = await visitor.get('/api/login?returnTo=/about');
  await visitor.get('/api/login?returnTo=/contact');
  expect(await visitor.signIn('person-pending', first.headers.get('location') ?? '')).toBe('/about');
});

test('a sign-in under way is in the browser only, sealed', async () => {
  const before = await countSessions();
  const visitor = new Visitor(shop);
  const login = await visitor.get('/api/login?returnTo=/about');
  const [line = '', ...others] = login.headers.getSetCookie();
  expect(line).toMatch(/^sign-in=[\w-]+; Max-Age=900; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
  expect(others).toEqual([]);
  const state = new URL(login.headers.get('location') ?? '').searchParams.get('state') ?? '';
  expect(Buffer.from(visitor.cookies.get('sign-in') ?? '', 'base64url').toString()).not.toContain(state);
  expect(await countSessions()).toBe(before);

  await visitor.signIn('person-pending');
  expect(await countSessions()).toBe(before + 1);
});

test('with very many tabs the latest keep their sign-ins, and the cookie fits', async () => {
  const visitor = new Visitor(shop);
  const page = `/about?${'x'.repeat(480)}`;
  for (let tab = 0; tab < 9; tab++) await visitor.get(`/api/login?returnTo=${page}`);
  expect(visitor.cookies.get('sign-in')?.length).toBeLessThan(3_900);
  const latest = await visitor.get(`/api/login?returnTo=${page}`);
  expect(await visitor.signIn('person-pending', latest.headers.get('location') ?? '')).toBe(page);
  expect(visitor.cookies.has('sign-in'), 'the others are kept').toBe(true);
});

test.each([
  '//evil.example',
  '/\\evil.example',
  'https:evil.example',
  'https://evil.example/x',
  '%252f%252fevil.example',
  '/%2509/evil.example',
  '/api/logout',
  'javascript:alert(1)',
])('returnTo=%s leads home', async (returnTo) => {
  expect(await new Visitor(shop).signIn('person-pending', `/api/login?returnTo=${returnTo}`)).toBe('/');
});

describe('the session cookie', () => {
  test('is HttpOnly and SameSite=Lax, and changes at sign-in', async () => {
    const attacker = new Visitor(shop);
    await attacker.signIn('person-nameless');
    const planted = attacker.cookies.get('session');
    const visitor = new Visitor(shop);
    visitor.cookies.set('session', planted ?? '');
    const callback = await visitor.goThroughSignIn('person-pending');
    const answer = await visitor.get(callback);
    const line = answer.headers.getSetCookie().find((cookie) => cookie.startsWith('session=')) ?? '';
    expect(line).toMatch(/; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
    expect(visitor.cookies.get('session')).not.toBe(planted);

    expect((await attacker.whoAmI()).status, 'a planted session is ended').toBe(401);
  });

  test('that is tampered with is ignored', async () => {
    const visitor = new Visitor(shop);
    await visitor.signIn();
    const genuine = visitor.cookies.get('session') ?? '';
    for (const forged of [
      `${genuine.slice(0, -2)}xx`,
      genuine.replace('s%3A', ''),
      `${genuine}.a`,
      's%3A.',
    ]) {
      visitor.cookies.set('session', forged);
      expect((await visitor.whoAmI()).status).toBe(401);
    }
  });

  test('is bound to the host over HTTPS', async () => {
    const config = { ...shop.config, publicUrl: 'https://querywright.example' };
    const identity = createIdentityProvider(config.oidc, config.publicUrl);
    // express-session sets the store's `generate`: the shop keeps its own.
    const { store } = shop.api.sessions;
    const own = Object.assign(Object.create(store), { get: store.get.bind(store) });
    const sessions = { ...shop.api.sessions, store: own };
    const secure = await startSecondWeb({ ...shop.api, config, identity, sessions });
    try {
      const visitor = new Visitor(shop);
      await visitor.signIn();
      await editSession(shop, visitor, ({ cookie }) => {
        cookie.secure = true;
      });
      const here = new Visitor(secure);
      here.cookies.set('__Host-session', visitor.cookies.get('session') ?? '');
      const https = { 'x-forwarded-proto': 'https' };
      const answers = [await here.get('/api/login', https), await here.get('/api/auth/user', https)];
      const lines = answers.flatMap((answer) => answer.headers.getSetCookie());
      for (const name of ['sign-in', 'session']) {
        const named = lines.filter((line) => line.startsWith(`__Host-${name}=`));
        expect(named.length, name).toBeGreaterThan(0);
        for (const line of named)
          expect(line).toMatch(/=.+; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/);
      }
      expect(lines.filter((line) => /^(session|sign-in)=/.test(line))).toEqual([]);
    } finally {
      await secure.close();
    }
  });
});

describe('a session ends', () => {
  test('when it is idle, and is renewed by every use', async () => {
    const { idleMs } = shop.api.sessions;
    const visitor = new Visitor(shop);
    await visitor.signIn();
    await expireIn(visitor, 60_000);
    expect(await lifetimeOf(visitor)).toBeLessThanOrEqual(61_000);

    expect((await visitor.whoAmI()).status).toBe(200);
    const renewed = await lifetimeOf(visitor);
    expect(renewed).toBeGreaterThan(idleMs - 60_000);
    // Stores round up to whole seconds.
    expect(renewed).toBeLessThanOrEqual(idleMs + 1_000);

    await expireIn(visitor, -1_000);
    expect((await visitor.whoAmI()).status).toBe(401);
  });

  test('half a day after the sign-in, however busy it is', async () => {
    const visitor = new Visitor(shop);
    await visitor.signIn();
    await editSession(shop, visitor, (session) => {
      session.signedInAt = Date.now() - shop.api.sessions.absoluteMs - 1;
    });
    expect((await visitor.whoAmI()).status).toBe(401);
    expect(visitor.cookies.has('signed_in')).toBe(false);
  });
});

describe('signing out', () => {
  test.each<Record<string, string>>([
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' },
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'image' },
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document', 'sec-purpose': 'prefetch' },
  ])('does not happen by %j', async (headers) => {
    const visitor = new Visitor(shop);
    await visitor.signIn();
    expect((await visitor.get('/api/logout', headers)).status).toBe(403);
    expect((await visitor.get('/api/login', headers)).status).toBe(403);
    expect((await visitor.whoAmI()).status).toBe(200);
  });
});

test('too many sign-ins from one address are 429, as a page', async () => {
  const rateLimits = createRateLimits({ queuePrefix: 'test', redis: undefined, db: shop.db });
  const web = await startSecondWeb({ ...shop.api, rateLimits });
  try {
    const visitor = new Visitor(web);
    for (let i = 0; i < 30; i++) await visitor.get('/api/login');
    const answer = await visitor.get('/api/login');
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(answer.headers.get('content-type')).toContain('text/html');
  } finally {
    await web.close();
  }
});

/** Changes the sign-ins that the visitor's browser keeps. */
function editLogins(visitor: Visitor, change: (login: KeptLogin) => void): void {
  const sealed = createSealed(shop.config.sessionSecrets);
  const logins = sealed.open('pending-logins', visitor.cookies.get('sign-in') ?? '') as KeptLogin[];
  expect(logins.length).toBeGreaterThan(0);
  for (const login of logins) change(login);
  visitor.cookies.set('sign-in', sealed.seal('pending-logins', logins));
}

async function countSessions(): Promise<number> {
  const { redisUrl, queuePrefix } = shop.config;
  if (!redisUrl) return Number((await shop.db('sessions').count('* as count'))[0]?.count);
  const redis = connectRedis(redisUrl, {}, () => {});
  try {
    return (await redis.keys(`${redisPrefix(queuePrefix)}*`)).length;
  } finally {
    redis.disconnect();
  }
}

async function expireIn(visitor: Visitor, ms: number): Promise<void> {
  await editSession(shop, visitor, ({ cookie }) => {
    cookie.expires = new Date(Date.now() + ms);
  });
}

/** Ms until the visitor's session expires. */
async function lifetimeOf(visitor: Visitor): Promise<number> {
  const { userId = '' } = await readSession(shop, visitor);
  const sessions = await shop.api.sessions.ofUsers.list(userId);
  const own = sessions.find(({ sid }) => sid === visitor.sessionId());
  return (own?.expiresAt ?? Number.NaN) - Date.now();
}

/** The callback is a 400 page without anything of the request in it, and nobody is signed in by it. */
async function expectRefusal(visitor: Visitor, callback: string): Promise<void> {
  const answer = await visitor.get(callback);
  const page = await answer.text();
  expect(answer.status, page).toBe(400);
  expect(answer.headers.get('content-type')).toContain('text/html');
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(page).not.toMatch(/<script|evil|forged/);
  expect((await visitor.whoAmI()).status).toBe(401);
}
