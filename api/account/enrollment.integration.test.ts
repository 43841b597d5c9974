import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { post } from '../../testing/buyer.ts';
import { type Shop, startShop } from '../../testing/shop.ts';
import { Visitor } from '../../testing/visitor.ts';
import { waitFor } from '../../testing/wait-for.ts';

let shop: Shop;
let ada: Visitor;
beforeAll(async () => {
  shop = await startShop();
  shop.startWorker();
  ada = new Visitor(shop);
  await ada.signIn('person-pending');
});
afterAll(() => shop.close());

const form = {
  companyName: "O'Hara & Söhne 🦉",
  role: 'CTO',
  phone: '+1 415 555 0100',
  primaryUseCase: "Orders; it's slow on Mondays.\nAnd on Fridays.",
  teamSize: '11-50',
  complianceNeeds: 'GDPR',
};
const nothing = {
  companyName: null,
  role: null,
  phone: null,
  primaryUseCase: null,
  teamSize: null,
  complianceNeeds: null,
};

test('an anonymous visitor gets 401, and nothing is stored', async () => {
  expect((await new Visitor(shop).get('/api/enrollment')).status).toBe(401);
  expect((await post(shop, '/api/enrollment', form)).status).toBe(401);
});

test('enrolling saves the answers verbatim, completes the status and notifies staff', async () => {
  expect(await (await ada.get('/api/enrollment')).json()).toEqual(nothing);
  expect((await ada.post('/api/enrollment', form)).status).toBe(200);
  expect(await (await ada.get('/api/enrollment')).json()).toEqual(form);
  expect((await ada.whoAmI()).user).toMatchObject({ enrollmentStatus: 'completed' });
  expect((await adasRow()).enrollment_completed_at).toBeInstanceOf(Date);

  const [notice] = await staffMails(1);
  expect(notice?.subject).toContain("O'Hara & Söhne");
  expect(notice?.text).toContain('And on Fridays.');
  expect(notice?.headers['reply-to']).toContain('ada.lovett@example.com');
});

test('enrolling again replaces the answers, keeps the first completion time and notifies staff again', async () => {
  const before = await adasRow();
  const { complianceNeeds: _, ...changed } = { ...form, companyName: 'Lovett Ltd', teamSize: '500+' };
  expect((await ada.post('/api/enrollment', changed)).status).toBe(200);
  expect(await (await ada.get('/api/enrollment')).json()).toEqual({ ...changed, complianceNeeds: null });
  expect((await adasRow()).enrollment_completed_at).toEqual(before.enrollment_completed_at);
  const mails = await staffMails(2);
  expect(mails.map((mail) => mail.subject).join()).toContain('Lovett Ltd');
});

test('users see only their own answers', async () => {
  const [grace, nameless] = [new Visitor(shop), new Visitor(shop)];
  await grace.signIn('person-completed');
  await nameless.signIn('person-nameless');
  expect((await grace.whoAmI()).user).toMatchObject({ firstName: 'Grace', enrollmentStatus: 'completed' });
  expect(await (await grace.get('/api/enrollment')).json()).toMatchObject({
    companyName: 'Hooper Logistics',
  });
  expect(await (await nameless.get('/api/enrollment')).json()).toEqual(nothing);

  const adasId = (await adasRow()).id;
  const before = await adasRow();
  expect((await grace.post('/api/enrollment', { ...form, userId: adasId })).status).toBe(400);
  expect((await grace.get(`/api/enrollment?userId=${adasId}`)).status).toBe(400);
  expect(await adasRow()).toEqual(before);
});

describe('bad input is 400, names the field and stores nothing', () => {
  test.each<[string, Record<string, unknown>, string, string]>([
    ['a short company', { companyName: 'x' }, 'companyName', 'Company name must be at least 2 characters'],
    [
      'a company of spaces',
      { companyName: '    ' },
      'companyName',
      'Company name must be at least 2 characters',
    ],
    ['no company', { companyName: undefined }, 'companyName', 'Company name must be at least 2 characters'],
    ['a short role', { role: 'x' }, 'role', 'Role must be at least 2 characters'],
    ['a short phone', { phone: '123456789' }, 'phone', 'Please enter a valid phone number'],
    [
      'a phone of 21 characters',
      { phone: '1'.repeat(21) },
      'phone',
      'Phone number must be at most 20 characters',
    ],
    ['a phone that is a number', { phone: 14155550100 }, 'phone', 'Please enter a valid phone number'],
    [
      'a short use case',
      { primaryUseCase: 'short' },
      'primaryUseCase',
      'Please describe your use case (at least 10 characters)',
    ],
    [
      'a NUL',
      { primaryUseCase: 'a long enough \u0000 text' },
      'primaryUseCase',
      'Please remove control characters',
    ],
    ['a broken surrogate', { companyName: 'Acme \ud800' }, 'companyName', 'Please remove control characters'],
    [
      'a line break in a company name',
      { companyName: 'Acme\r\nBcc: all@example.com' },
      'companyName',
      'Please remove control characters',
    ],
    [
      'compliance needs that are a list',
      { complianceNeeds: ['GDPR'] },
      'complianceNeeds',
      'Please enter text',
    ],
    ['another team size', { teamSize: '1-11' }, 'teamSize', 'Please choose a team size'],
    ['a status of one’s own', { enrollmentStatus: 'pending' }, 'enrollmentStatus', 'Unknown field'],
  ])('%s', async (_what, change, field, message) => {
    const before = await adasRow();
    const answer = await ada.post('/api/enrollment', { ...form, ...change });
    const body = await answer.json();
    expect(answer.status).toBe(400);
    expect(Object.keys(body.fields)).toEqual([field]);
    expect(body.fields[field]).toBe(message);
    expect(await adasRow()).toEqual(before);
  });

  test('a cross-site request is rejected', async () => {
    const answer = await ada.send('/api/enrollment', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'https://evil.example' },
      body: JSON.stringify(form),
    });
    expect(answer.status).toBe(403);
  });
});

test('the answers can be sent back unchanged, null included', async () => {
  const saved = await (await ada.get('/api/enrollment')).json();
  const answer = await ada.post('/api/enrollment', { ...saved, complianceNeeds: null });
  expect(answer.status).toBe(200);
  expect(await (await ada.get('/api/enrollment')).json()).toEqual({ ...saved, complianceNeeds: null });
});

async function adasRow() {
  return shop.db('users').where({ subject: 'person-pending' }).first();
}

function staffMails(count: number) {
  return waitFor(`${count} mails to staff`, async () => {
    const mails = await shop.sandbox.inbox.list(shop.config.mail.staff);
    return mails.length >= count && mails;
  });
}
