import { expect, test } from 'vitest';
import { auditOrder, placeOrder } from '../../testing/buyer.ts';
import { withShop } from '../../testing/shop.ts';
import { Visitor } from '../../testing/visitor.ts';

const shop = await withShop();

test('lists a client’s own orders, newest first', async () => {
  const ada = new Visitor(shop);
  await ada.signIn('person-pending');
  const first = await orderOf(ada);
  const second = await orderOf(ada);
  await placeOrder(shop);

  const account = await (await ada.get('/api/account')).json();

  expect(account).toMatchObject({
    email: 'ada.lovett@example.com',
    name: 'Ada Lovett',
    enrollmentStatus: 'pending',
    newsletter: 'none',
  });
  expect(account.orders.map((order: { id: string }) => order.id)).toEqual([second, first]);
  expect(account.orders[0]).toMatchObject({
    serviceName: 'Database Audit',
    amount: 299_900,
    currency: 'USD',
    status: 'pending',
  });
});

test('the newsletter’s state is looked up by the client’s address, ignoring case', async () => {
  const ada = new Visitor(shop);
  await ada.signIn('person-pending');
  await ada.post('/api/newsletter/subscribe', { email: 'Ada.Lovett@example.com' });
  expect(await (await ada.get('/api/account')).json()).toMatchObject({ newsletter: 'pending' });
});

test('signing out everywhere ends every session of the client, and no other', async () => {
  const [here, there, other] = [new Visitor(shop), new Visitor(shop), new Visitor(shop)];
  await here.signIn('person-pending');
  await there.signIn('person-pending');
  await other.signIn('person-completed');

  const answer = await here.post('/api/account/sign-out', {});

  expect(answer.status).toBe(200);
  expect((await here.get('/api/account')).status).toBe(401);
  expect((await there.get('/api/account')).status).toBe(401);
  expect((await other.get('/api/account')).status).toBe(200);
});

async function orderOf(visitor: Visitor): Promise<string> {
  const answer = await visitor.post('/api/create-payment-intent', auditOrder);
  return (await answer.json()).orderId;
}
