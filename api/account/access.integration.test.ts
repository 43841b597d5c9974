import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pay, placeOrder, post, readOrder } from '../../testing/buyer.ts';
import { placePaypalOrder } from '../../testing/paypal.ts';
import { type Shop, startShop } from '../../testing/shop.ts';
import { Visitor } from '../../testing/visitor.ts';

// Access: every role against every restricted call and every object of another user.

const secretAnswers = {
  companyName: 'Byron & Daughter',
  role: 'Head of Engineering',
  phone: '+1 415 555 0142',
  primaryUseCase: 'Nobody else may read this',
  teamSize: '11-50',
};

let shop: Shop;
let ada: Visitor;
const strangers: Record<string, Visitor> = {};
beforeAll(async () => {
  shop = await startShop({ site: true });
  ada = new Visitor(shop);
  await ada.signIn('person-pending');
  expect((await ada.post('/api/enrollment', secretAnswers)).status).toBe(200);

  const [nobody, forger, leaver] = [new Visitor(shop), new Visitor(shop), new Visitor(shop)];
  forger.cookies.set('session', `s%3A${ada.sessionId()}.${'A'.repeat(43)}`);
  await leaver.signIn('person-completed');
  const cookies = new Map(leaver.cookies);
  await leaver.get('/api/logout');
  for (const [name, value] of cookies) leaver.cookies.set(name, value);
  Object.assign(strangers, { nobody, forger, leaver });
});
afterAll(() => shop.close());

describe('an account’s calls', () => {
  test.each(['nobody', 'forger', 'leaver'])('are 401 for %s, all with the same answer', async (role) => {
    const visitor = strangers[role] ?? new Visitor(shop);
    const calls = [
      visitor.get('/api/auth/user'),
      visitor.get('/api/enrollment'),
      visitor.get('/api/account'),
      visitor.post('/api/account/sign-out', {}),
      visitor.get('/api/account/sessions'),
      visitor.post(`/api/account/sessions/${'A'.repeat(43)}/sign-out`, {}),
      visitor.post('/api/enrollment', { ...secretAnswers, companyName: role }),
    ];
    for (const answer of await Promise.all(calls)) {
      const { message } = (await answer.json()) as { message: string };
      expect([answer.status, message]).toEqual([401, 'You are not signed in']);
    }
    expect(await shop.db('users').where({ company_name: role })).toEqual([]);
  });

  test('read and change only the caller’s own answers, whatever id is sent', async () => {
    const eve = new Visitor(shop);
    await eve.signIn('person-nameless');
    const { id } = await shop.db('users').where({ company_name: secretAnswers.companyName }).first('id');
    for (const path of ['/api/enrollment', '/api/auth/user', '/api/account', '/api/account/sessions']) {
      expect(await (await eve.get(path)).text()).not.toContain('Byron');
      expect((await eve.get(`${path}?userId=${id}`)).status).toBe(400);
      expect((await eve.get(`${path}/${id}`)).status).toBe(404);
    }
    for (const field of ['id', 'userId', 'email', 'enrollmentStatus', 'issuer']) {
      expect((await eve.post('/api/enrollment', { ...secretAnswers, [field]: id })).status, field).toBe(400);
    }
    expect(await (await ada.get('/api/enrollment')).json()).toMatchObject(secretAnswers);
  });
});

describe('an order', () => {
  test('cannot be read without its full id, and unknown ids all get the same answer', async () => {
    const { orderId } = await placeOrder(shop);
    const neighbor = orderId.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
    const answers = await Promise.all(
      [neighbor, crypto.randomUUID(), '00000000-0000-0000-0000-000000000000'].map(async (id) => {
        const answer = await ada.get(`/api/orders/${id}`);
        const { requestId, ...body } = (await answer.json()) as Record<string, unknown>;
        return [answer.status, body, requestId !== undefined];
      }),
    );
    for (const answer of answers)
      expect(answer).toEqual([404, { code: 'not_found', message: 'Order not found' }, true]);
    for (const path of ['/api/orders', '/api/orders/']) expect((await ada.get(path)).status).toBe(404);
  });

  test('is not paid by another order’s payment, in either direction', async () => {
    const [mine, paid] = [await placeOrder(shop), await placeOrder(shop)];
    await pay(shop, paid);
    const attempts = [
      { orderId: mine.orderId, paymentIntentId: paid.paymentIntentId },
      { orderId: paid.orderId, paymentIntentId: mine.paymentIntentId },
    ];
    for (const attempt of attempts)
      expect((await post(shop, '/api/confirm-payment', attempt)).status).toBe(409);
    const invented = { orderId: mine.orderId, paymentIntentId: 'pi_invented' };
    expect((await post(shop, '/api/confirm-payment', invented)).status).toBe(409);
    expect((await readOrder(shop, mine.orderId)).status).toBe('pending');
  });

  test('is not moved by a payment of the other method', async () => {
    const [card, paypal] = [await placeOrder(shop), await placePaypalOrder(shop)];
    const foreign = { orderId: card.orderId, paypalOrderId: paypal.paypalOrderId };
    expect((await post(shop, '/api/confirm-paypal-payment', foreign)).status).toBe(409);
    const asCard = { orderId: paypal.orderId, paymentIntentId: card.paymentIntentId };
    expect((await post(shop, '/api/confirm-payment', asCard)).status).toBe(409);
    expect((await readOrder(shop, card.orderId)).status).toBe('pending');
    expect((await readOrder(shop, paypal.orderId)).status).toBe('pending');
  });

  test('cannot be written', async () => {
    const { orderId } = await placeOrder(shop);
    for (const visitor of [ada, ...Object.values(strangers)]) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const body = JSON.stringify({ status: 'paid' });
        const headers = { 'content-type': 'application/json' };
        expect((await visitor.send(`/api/orders/${orderId}`, { method, headers, body })).status).toBe(405);
      }
    }
    expect((await readOrder(shop, orderId)).status).toBe('pending');
  });
});

test('the public port never serves the operators’ pages', async () => {
  for (const visitor of [ada, ...Object.values(strangers)]) {
    for (const path of [
      '/metrics',
      '/queues',
      '/queues/api/queues',
      '/api/admin',
      '/api/users',
      '/inbox',
      '/faults',
    ]) {
      expect((await visitor.get(path)).status, path).toBe(404);
    }
  }
});
