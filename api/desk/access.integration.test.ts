import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { StaffView } from '../../core/staff.ts';
import { atDesk, DeskCaller } from '../../testing/desk.ts';
import { deskOperations } from '../../testing/desk-contract/operations.ts';
import { withShop } from '../../testing/shop.ts';
import { editSession } from '../../testing/visitor.ts';

const shop = await withShop({ site: true });
const MINUTE_MS = 60_000;

const callers: Record<string, DeskCaller> = {};
beforeAll(async () => {
  const anonymous = new DeskCaller(shop);
  const client = await atDesk(shop, 'person-completed');
  const viewer = await atDesk(shop, 'person-viewer');
  const operator = await atDesk(shop, 'person-operator');
  Object.assign(callers, { anonymous, client, viewer, operator });
});

describe.each(deskOperations)('$method $path', ({ method, path, role }) => {
  test.each(['anonymous', 'client'])('does not exist for %s callers', async (name) => {
    const call = (address: string) => callOf(name, method, address);
    const unknownPath = path.endsWith('/events') ? '/api/nothing/events' : '/api/nothing';
    const [seen, unknown] = [await call(addressOf(path)), await call(unknownPath)];
    expect([seen.status, await withoutId(seen)]).toEqual([404, await withoutId(unknown)]);
    expect(headerNames(seen)).toEqual(headerNames(unknown));
  });

  test(`is ${role === 'operator' ? 'refused to' : 'open to'} a viewer`, async () => {
    const { status } = await callOf('viewer', method, addressOf(path));
    if (role === 'operator') expect(status).toBe(403);
    else expect([200, 400, 404]).toContain(status);
  });

  test('is open to an operator', async () => {
    const answer = await callOf('operator', method, addressOf(path));
    expect([401, 403]).not.toContain(answer.status);
    expect(answer.status).toBeLessThan(500);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });
});

describe('the pages and their code', () => {
  test.each(['/desk', '/desk/', '/desk/orders/1', '/desk/assets/desk.js'])(
    '%s is the 404 page for everyone else',
    async (address) => {
      for (const name of ['anonymous', 'client']) {
        const [seen, unknown] = [await callOf(name, 'get', address), await callOf(name, 'get', '/nothing')];
        expect([seen.status, await seen.text()]).toEqual([404, await unknown.text()]);
        expect(headerNames(seen)).toEqual(headerNames(unknown));
      }
    },
  );

  test('are served to staff, uncached, with the site’s strict content security policy', async () => {
    const page = await callOf('viewer', 'get', '/desk/orders/1');
    const html = await page.text();
    const script = await callOf('viewer', 'get', /src="([^"]+)"/.exec(html)?.[1] ?? '');
    expect([page.status, script.status]).toEqual([200, 200]);
    for (const answer of [page, script]) expect(answer.headers.get('cache-control')).toBe('no-store');
    const policyOf = (answer: Response) => answer.headers.get('content-security-policy');
    expect(policyOf(page)).toBe(policyOf(await callOf('anonymous', 'get', '/about')));
    expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin');
  });
});

describe('a session at the desk', () => {
  test('ends after 20 minutes of silence; an open page is silent', async () => {
    const olive = await atDesk(shop);
    const ago = (minutes: number) =>
      editSession(shop, olive, ({ staff }) => {
        staff.seenAt -= minutes * MINUTE_MS;
      });
    await ago(19);
    expect((await olive.get('/api/desk/me', { 'x-background': '1' })).status).toBe(200);
    await ago(1);
    expect((await olive.get('/api/desk/me')).status).toBe(401);
  });

  test('is extended by activity, up to 8 hours after the sign-in', async () => {
    const olive = await atDesk(shop);
    await editSession(shop, olive, ({ staff }) => {
      staff.seenAt -= 19 * MINUTE_MS;
    });
    expect((await olive.get('/api/desk/me')).status).toBe(200);
    await editSession(shop, olive, (session) => {
      session.staff.seenAt -= 19 * MINUTE_MS;
      session.signedInAt -= 8 * 60 * MINUTE_MS - 10_000;
    });
    expect((await olive.get('/api/desk/me')).status).toBe(200);
    await editSession(shop, olive, (session) => {
      session.signedInAt -= 10_000;
    });
    const over = await olive.get('/api/desk/me');
    expect([over.status, (await over.json()).code]).toEqual([401, 'not_signed_in']);
    expect((await olive.get('/desk')).status).toBe(200);
  });

  test('ends at once for people removed from the settings', async () => {
    const olive = await atDesk(shop);
    await editSession(shop, olive, ({ staff }) => {
      staff.credentials = ['groups=former-staff'];
    });
    expect((await olive.get('/api/desk/me')).status).toBe(404);
  });
});

describe('a fresh sign-in', () => {
  test('prompts for credentials although the provider has a session', async () => {
    const olive = await atDesk(shop);
    expect(await olive.read<StaffView>('/api/desk/me')).toMatchObject({ role: 'operator', freshUntil: null });

    const silent = await olive.get('/api/login?returnTo=/desk');
    expect(await stepsToCallback(olive, silent)).not.toContain('interaction');

    const login = '/api/login?returnTo=/desk&fresh=1';
    expect(await stepsToCallback(olive, await olive.get(login))).toContain('interaction');
    await olive.signIn('person-operator', login);
    const { freshUntil } = await olive.read<StaffView>('/api/desk/me');
    expect(Date.parse(freshUntil ?? '') - Date.now()).toBeGreaterThan(9 * MINUTE_MS);
  });

  test('as another person starts that person’s session', async () => {
    const browser = await atDesk(shop);
    // As after signing out at the provider.
    for (const name of [...browser.cookies.keys()].filter((key) => key.startsWith('sandbox_oidc'))) {
      browser.cookies.delete(name);
    }
    await browser.signIn('person-viewer', '/api/login?returnTo=/desk&fresh=1');
    expect(await browser.read('/api/desk/me')).toMatchObject({ role: 'viewer' });
  });
});

/** Where the provider leads before it answers or asks. */
async function stepsToCallback(caller: DeskCaller, first: Response): Promise<string> {
  let next = new URL(first.headers.get('location') ?? '');
  for (;;) {
    const answer = await caller.get(next.href);
    const location = answer.headers.get('location');
    if (location === null || next.pathname === '/api/callback') return next.pathname;
    next = new URL(location, next);
    if (next.pathname === '/api/callback') return next.pathname;
  }
}

async function callOf(name: string, method: string, address: string): Promise<Response> {
  const caller = callers[name] ?? new DeskCaller(shop);
  if (address.endsWith('/events')) return openStream(caller, address);
  return method === 'get' ? caller.get(address) : caller.act(address);
}

/** An answer that may never end, ended. */
async function openStream(caller: DeskCaller, address: string): Promise<Response> {
  const headers = { accept: 'text/event-stream', cookie: caller.cookieHeader() };
  const answer = await fetch(shop.url + address, { headers });
  if (answer.status === 200) await answer.body?.cancel();
  return answer;
}

/** For the parameters of a path something that is nowhere. */
function addressOf(path: string): string {
  return path.replaceAll(/\{(order|message)Id\}/g, randomUUID()).replaceAll(/\{\w+\}/g, '999999');
}

async function withoutId(answer: Response): Promise<object> {
  const { requestId: _, ...body } = (await answer.json()) as Record<string, unknown>;
  return body;
}

function headerNames({ headers }: Response): string[] {
  return [...headers.keys()].filter((name) => name !== 'x-request-id').sort();
}
