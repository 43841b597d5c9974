import { afterAll, beforeAll, expect, test } from 'vitest';
import { post } from '../testing/buyer.ts';
import { type Shop, startShop } from '../testing/shop.ts';
import { waitFor } from '../testing/wait-for.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await startShop();
  shop.startWorker();
});
afterAll(() => shop.close());

const message = {
  name: 'Grace Hopper',
  email: 'grace@example.com',
  message: 'Our primary lags.\nCan you look?',
};

test('a message reaches staff, who can reply to the visitor, and the visitor is told when', async () => {
  expect((await post(shop, '/api/contact', message)).status).toBe(200);

  const mails = await waitFor('both mails', async () => {
    const found = await shop.sandbox.inbox.list();
    return found.length >= 2 ? found : undefined;
  });
  const notice = mails.find((mail) => mail.to.includes(shop.config.mail.staff));
  expect(notice?.text).toContain('Our primary lags.');
  expect(notice?.headers['reply-to']).toContain('grace@example.com');
  const acknowledgement = mails.find((mail) => mail.to.includes('grace@example.com'));
  expect(acknowledgement?.text).toMatch(/24 hours/);
  expect(await shop.db('contact_messages')).toMatchObject([message]);
});

test.each([
  ['no name', { name: '' }, 'name'],
  ['CR LF in the name', { name: 'a\r\nBcc: all@example.com' }, 'name'],
  ['CR LF in the address', { email: 'a@example.com\r\nBcc: b@example.com' }, 'email'],
  ['no message', { message: '  ' }, 'message'],
  ['NUL in the message', { message: 'a\u0000b' }, 'message'],
  ['an unknown field', { admin: true }, 'admin'],
])('%s is 400 and names the field', async (_what, change, field) => {
  const before = await count();
  const answer = await post(shop, '/api/contact', { ...message, ...change });
  expect(answer.status).toBe(400);
  expect(Object.keys((await answer.json()).fields)).toContain(field);
  expect(await count()).toBe(before);
});

test('a robot that fills the hidden field is thanked, and nothing is stored', async () => {
  const before = await count();
  expect((await post(shop, '/api/contact', { ...message, website: 'https://spam.example' })).status).toBe(
    200,
  );
  expect(await count()).toBe(before);
});

async function count(): Promise<number> {
  return Number((await shop.db('contact_messages').count<{ count: string }>('* as count').first())?.count);
}
