import { beforeEach, expect, test } from 'vitest';
import { type SessionView, sessionList } from '../../core/sessions.ts';
import { createRateLimits } from '../../infra/rate-limits.ts';
import { withShop } from '../../testing/shop.ts';
import { editSession, type PersonId, startSecondWeb, Visitor } from '../../testing/visitor.ts';

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1';

const shop = await withShop();

let laptop: Visitor;
let phone: Visitor;
beforeEach(async () => {
  laptop = await signedIn('person-pending', firefox);
  phone = await signedIn('person-pending', safari);
  return () => laptop.post('/api/account/sign-out', {});
});

test('lists a client’s own sessions, the current one first', async () => {
  const start = Date.now();
  await signedIn('person-completed', firefox);

  const sessions = await sessionsOf(laptop);

  expect(sessions.map(({ device, isCurrent }) => [device, isCurrent])).toEqual([
    ['Firefox on Windows', true],
    ['Safari on iPhone', false],
  ]);
  for (const { signedInAt, lastSeenAt } of sessions) {
    expect(Math.abs(Date.parse(signedInAt) - start)).toBeLessThan(30_000);
    expect(Math.abs(Date.parse(lastSeenAt) - start)).toBeLessThan(30_000);
  }
});

test('reports a session’s latest call as last seen, also shortly before it expires', async () => {
  const elevenHours = 11.9 * 3_600_000;
  await editSession(shop, phone, (session) => {
    session.signedInAt -= elevenHours;
  });
  await phone.whoAmI();

  const seen = (await sessionsOf(laptop)).find(({ isCurrent }) => !isCurrent);

  expect(Date.now() - Date.parse(seen?.lastSeenAt ?? '')).toBeLessThan(30_000);
  expect(Date.now() - Date.parse(seen?.signedInAt ?? '')).toBeGreaterThan(elevenHours);
});

test('does not list an expired session', async () => {
  await editSession(shop, phone, (session) => {
    session.signedInAt -= shop.api.sessions.absoluteMs;
  });
  expect(await sessionsOf(laptop)).toHaveLength(1);
});

test('lists no value that could be used as a session cookie', async () => {
  const text = await (await laptop.get('/api/account/sessions')).text();
  for (const visitor of [laptop, phone]) expect(text).not.toContain(visitor.sessionId());
  expect(text).not.toContain('Gecko');
});

test('ending one session signs out only that browser', async () => {
  const [, other] = await sessionsOf(laptop);

  const answer = await end(laptop, other);

  expect(answer.status).toBe(200);
  expect(sessionList.parse(await answer.json()).sessions).toEqual([
    expect.objectContaining({ isCurrent: true }),
  ]);
  expect((await phone.whoAmI()).status).toBe(401);
  expect((await laptop.whoAmI()).status).toBe(200);
  expect((await end(laptop, other)).status, 'it is over').toBe(404);
});

test('ending the session of the call signs this browser out', async () => {
  const [current] = await sessionsOf(laptop);
  expect((await end(laptop, current)).status).toBe(200);
  expect(laptop.cookies.has('session')).toBe(false);
  expect((await laptop.whoAmI()).status).toBe(401);
  expect((await phone.whoAmI()).status).toBe(200);
  laptop = phone;
});

test('answers 404 for another user’s session, as for an unknown one', async () => {
  const eve = await signedIn('person-nameless', firefox);
  const [current] = await sessionsOf(laptop);

  const answers = [await end(eve, current), await end(eve, { id: 'A'.repeat(43) })];

  for (const answer of answers) {
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: 'not_found', message: 'Session not found' });
  }
  expect((await laptop.whoAmI()).status).toBe(200);
});

test('ends no session for a cross-site request, nor by the session’s secret id', async () => {
  const [, other] = await sessionsOf(laptop);
  const fromElsewhere = await laptop.send(`/api/account/sessions/${other?.id}/sign-out`, {
    method: 'POST',
    headers: { origin: 'https://evil.example' },
  });
  expect(fromElsewhere.status).toBe(403);
  expect((await end(laptop, { id: phone.sessionId() })).status).toBe(400);
  expect((await phone.whoAmI()).status).toBe(200);
});

test('lists are limited per user, not per address', async () => {
  const overrides = { sessions: { points: 2, duration: 600 } };
  const rateLimits = createRateLimits({ queuePrefix: 'test', redis: undefined, db: shop.db, overrides });
  const web = await startSecondWeb({ ...shop.api, rateLimits });
  try {
    const other = await signedIn('person-completed', firefox);
    const statusOf = (visitor: Visitor) => there(web, visitor).then(({ status }) => status);
    expect([await statusOf(laptop), await statusOf(phone), await statusOf(phone)]).toEqual([200, 200, 429]);
    expect(await statusOf(other)).toBe(200);
  } finally {
    await web.close();
  }
});

test('concurrent lists of one user are the same', async () => {
  const lists = await Promise.all(Array.from({ length: 5 }, () => sessionsOf(laptop)));
  for (const list of lists) expect(list.map(({ device }) => device).length).toBe(2);
});

function there(web: { url: string }, { cookies }: Visitor): Promise<Response> {
  const visitor = new Visitor(web);
  for (const cookie of cookies) visitor.cookies.set(...cookie);
  return visitor.get('/api/account/sessions');
}

async function signedIn(person: PersonId, userAgent: string): Promise<Visitor> {
  const visitor = new Visitor(shop);
  const callback = await visitor.goThroughSignIn(person);
  expect((await visitor.get(callback, { 'user-agent': userAgent })).status).toBe(303);
  return visitor;
}

async function sessionsOf(visitor: Visitor): Promise<SessionView[]> {
  const answer = await visitor.get('/api/account/sessions');
  return sessionList.parse(await answer.json()).sessions;
}

function end(visitor: Visitor, session: Pick<SessionView, 'id'> | undefined): Promise<Response> {
  return visitor.post(`/api/account/sessions/${session?.id}/sign-out`, {});
}
