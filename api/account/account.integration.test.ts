import { expect, inject, test } from 'vitest';
import { connectRedis, failFast } from '../../infra/redis.ts';
import { createSessions } from '../../infra/sessions.ts';
import { revokeSessions } from '../../infra/user-sessions.ts';
import { auditOrder } from '../../testing/buyer.ts';
import { withShop } from '../../testing/shop.ts';
import { startSecondWeb, Visitor } from '../../testing/visitor.ts';

const shop = await withShop();

const ada = {
  email: 'ada.lovett@example.com',
  firstName: 'Ada',
  profileImageUrl: expect.stringContaining('/oidc/portraits/person-pending.svg'),
  enrollmentStatus: 'pending',
};

test('a new visitor is not signed in', async () => {
  const { status, user } = await new Visitor(shop).whoAmI();
  expect(status).toBe(401);
  expect(user).toMatchObject({ message: 'You are not signed in' });
});

test('signing in creates the user from the claims and returns to the former page', async () => {
  const visitor = new Visitor(shop);
  expect(await visitor.signIn('person-pending', '/api/login?returnTo=/pricing?service=audit')).toBe(
    '/pricing?service=audit',
  );
  expect(await visitor.whoAmI()).toEqual({ status: 200, user: ada });
  expect(visitor.cookies.get('signed_in')).toBe('1');
  expect(await shop.db('users').where({ subject: 'person-pending' })).toMatchObject([
    { issuer: `${shop.sandbox.url}/oidc`, first_name: 'Ada', last_name: 'Lovett', email_verified: true },
  ]);
});

test('signing in again finds the same user, and the name is optional', async () => {
  await new Visitor(shop).signIn('person-nameless');
  const again = new Visitor(shop);
  await again.signIn('person-nameless');
  expect((await again.whoAmI()).user).toMatchObject({ firstName: null, profileImageUrl: null });
  expect(await shop.db('users').where({ subject: 'person-nameless' })).toHaveLength(1);
});

test('omits a picture that the content security policy blocks', async () => {
  const visitor = new Visitor(shop);
  await visitor.signIn();
  const picture = { profile_image_url: 'https://elsewhere.example/ada.png' };
  await shop.db('users').where({ subject: 'person-pending' }).update(picture);
  expect((await visitor.whoAmI()).user).toMatchObject({ firstName: 'Ada', profileImageUrl: null });
});

test('a session whose user was deleted is signed out, in the browser too', async () => {
  const visitor = new Visitor(shop);
  await visitor.signIn('person-nameless');
  await shop.db('users').where({ subject: 'person-nameless' }).delete();
  expect((await visitor.whoAmI()).status).toBe(401);
  expect(visitor.cookies.has('signed_in')).toBe(false);
  expect((await visitor.get('/api/enrollment')).status).toBe(401);
  expect((await visitor.post('/api/create-payment-intent', auditOrder)).status, 'who buys as a guest').toBe(
    200,
  );
});

test('without returnTo the sign-in returns to the referring page', async () => {
  const visitor = new Visitor(shop);
  const login = await visitor.get('/api/login', { referer: `${shop.url}/services?x=1` });
  expect(login.status).toBe(303);
  expect(await visitor.signIn('person-pending', login.headers.get('location') ?? '')).toBe('/services?x=1');
});

test('signing out ends the session here and at the provider', async () => {
  const visitor = new Visitor(shop);
  await visitor.signIn();
  const cookies = new Map(visitor.cookies);
  const answer = await visitor.get('/api/logout');
  const leave = new URL(answer.headers.get('location') ?? '');
  expect(leave.href).toContain(`${shop.sandbox.url}/oidc/session/end`);
  expect(leave.searchParams.get('post_logout_redirect_uri')).toBe(`${shop.url}/`);
  expect((await visitor.get(leave.href)).status).toBe(200);
  expect([visitor.cookies.has('session'), visitor.cookies.has('signed_in')]).toEqual([false, false]);

  const thief = new Visitor(shop);
  for (const [name, value] of cookies) thief.cookies.set(name, value);
  expect((await thief.whoAmI()).status, 'the old cookie is worth nothing').toBe(401);
});

test('signing out without a session leads home', async () => {
  expect((await new Visitor(shop).get('/api/logout')).headers.get('location')).toBe('/');
});

test('sessions are shared by all web processes, and so is signing out', async () => {
  const redisUrl = inject('backend') === 'redis' ? shop.config.redisUrl : undefined;
  const redis = redisUrl ? connectRedis(redisUrl, failFast, () => {}) : undefined;
  const sessions = createSessions({ ...shop.config, db: shop.db, redis, logger: shop.api.logger });
  const second = await startSecondWeb({ ...shop.api, sessions });
  try {
    if (redis) await redis.ping().catch(() => new Promise((resolve) => redis.once('ready', resolve)));
    const [here, there] = [new Visitor(shop), new Visitor(second)];
    await here.signIn();
    for (const [name, value] of here.cookies) there.cookies.set(name, value);
    expect((await there.whoAmI()).user).toEqual(ada);
    await there.get('/api/logout');
    expect((await here.whoAmI()).status).toBe(401);
  } finally {
    await second.close();
    await sessions.close();
    redis?.disconnect();
  }
});

test('an operator signs one person out everywhere', async () => {
  const [laptop, phone, other] = [new Visitor(shop), new Visitor(shop), new Visitor(shop)];
  await laptop.signIn('person-completed');
  await phone.signIn('person-completed');
  await other.signIn('person-pending');
  const { id } = await shop.db('users').where({ subject: 'person-completed' }).first('id');
  expect(await revokeSessions({ ...shop.config, db: shop.db }, id)).toBe(2);
  expect([(await laptop.whoAmI()).status, (await phone.whoAmI()).status]).toEqual([401, 401]);
  expect((await other.whoAmI()).status).toBe(200);
  expect(await revokeSessions({ ...shop.config, db: shop.db }, id)).toBe(0);
});

test.each(['/api/create-payment-intent', '/api/create-paypal-order'])(
  'an order by %s stores the signed-in user, a guest’s stores none',
  async (call) => {
    const visitor = new Visitor(shop);
    await visitor.signIn();
    const mine = await (await visitor.post(call, auditOrder)).json();
    const guests = await (await new Visitor(shop).post(call, auditOrder)).json();
    const user = await shop.db('users').where({ subject: 'person-pending' }).first('id');
    const userOf = async (id: string) => (await shop.db('orders').where({ id }).first('user_id')).user_id;
    expect(await userOf(mine.orderId)).toBe(user.id);
    expect(await userOf(guests.orderId)).toBeNull();
  },
);
