import { inspect } from 'node:util';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { createRateLimits } from '../infra/rate-limits.ts';
import { post } from '../testing/buyer.ts';
import { startShop, withShop } from '../testing/shop.ts';
import { waitFor } from '../testing/wait-for.ts';
import { startWorker } from '../worker/worker.ts';

const shop = await withShop({ worker: true });

const message = {
  name: 'Grace Hopper',
  email: 'grace@example.com',
  message: 'Our primary lags.\nCan you look?',
};

test('a message reaches staff, who can reply to the visitor, and is acknowledged', async () => {
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

test.each<[string, Record<string, unknown>, string]>([
  ['no name', { name: '' }, 'name'],
  ['a missing name', { name: undefined }, 'name'],
  ['a name that is a list', { name: ['Grace'] }, 'name'],
  ['a missing address', { email: undefined }, 'email'],
  ['an address that is none', { email: 'grace' }, 'email'],
  ['a message that is a number', { message: 7 }, 'message'],
  ['a message of 5001 characters', { message: 'x'.repeat(5001) }, 'message'],
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

test('a bot that fills in the honeypot gets the usual answer, and nothing is stored', async () => {
  const before = await count();
  expect((await post(shop, '/api/contact', { ...message, website: 'https://spam.example' })).status).toBe(
    200,
  );
  expect(await count()).toBe(before);
});

test('the sixth message in an hour from one address is 429 with Retry-After', async () => {
  const limited = await startShop({
    parts: ({ db }) => ({ rateLimits: createRateLimits({ queuePrefix: 'test', redis: undefined, db }) }),
  });
  // The limiter takes connections out of the pool, so knex does not see its queries.
  const query = vi.spyOn(pg.Client.prototype, 'query');
  const countsInStore = () => query.mock.calls.filter((call) => /rate_limits/.test(inspect(call[0]))).length;
  try {
    for (let i = 0; i < 5; i++) expect((await post(limited, '/api/contact', message)).status).toBe(200);
    expect(countsInStore()).toBeGreaterThan(0);
    const answer = await post(limited, '/api/contact', message);
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3_000);
    expect((await answer.json()).message).toMatch(/try again in \d+ minutes/);

    query.mockClear();
    for (let i = 0; i < 20; i++) expect((await post(limited, '/api/contact', message)).status).toBe(429);
    expect(countsInStore(), 'a refused client does not reach the store').toBe(0);
  } finally {
    query.mockRestore();
    await limited.close();
  }
});

test('strangers cannot keep the owner of an address from writing to us or from subscribing', async () => {
  const limited = await startShop({
    env: { TRUST_PROXY: 'true' },
    parts: ({ db }) => ({ rateLimits: createRateLimits({ queuePrefix: 'test', redis: undefined, db }) }),
  });
  const mailLimits = createRateLimits({ queuePrefix: 'test', redis: undefined, db: limited.db });
  const worker = startWorker({ ...limited.workerParts, mailLimits });
  const send = (path: string, body: object, n: number) =>
    post(limited, path, body, { 'x-forwarded-for': `203.0.113.${n}` });
  try {
    const spellings = ['ada@example.com', 'ADA@example.com', 'Ada@Example.com', 'ada+1@example.com'];
    for (const [n, email] of [...spellings, 'aDa+2@example.com', 'ada@example.com'].entries())
      expect((await send('/api/contact', { ...message, email }, n)).status, email).toBe(200);
    const ended = async (kind: string) => {
      const emails = limited.db('emails').where({ kind });
      const statuses: string[] = await emails.pluck('status');
      return statuses.every((status) => status === 'sent' || status === 'dropped')
        ? statuses.sort()
        : undefined;
    };
    expect(await waitFor('the acknowledgements end', () => ended('contact_acknowledgement'))).toEqual([
      'dropped',
      ...Array(5).fill('sent'),
    ]);
    expect(await waitFor('the notices end', () => ended('contact_notice'))).toEqual(Array(6).fill('sent'));

    expect((await send('/api/newsletter/subscribe', { email: 'ada@example.com' }, 9)).status).toBe(200);
    expect(await waitFor('the link ends', () => ended('newsletter_confirmation'))).toEqual(['sent']);
  } finally {
    await worker.close();
    await limited.close();
  }
}, 60_000);

test.each([
  ['messages', '/api/contact', (email: string) => ({ ...message, email }), 'or write to us by e-mail'],
  [
    'subscriptions',
    '/api/newsletter/subscribe',
    (email: string) => ({ email }),
    'unusually many subscriptions',
  ],
])('above the limit of all senders %s wait, and send no e-mail', async (_what, path, bodyOf, says) => {
  const one = { points: 1, duration: 3_600 };
  const limited = await startShop({
    parts: ({ db }) => ({
      rateLimits: createRateLimits({
        queuePrefix: 'test',
        redis: undefined,
        db,
        overrides: { 'contact-all': one, 'newsletter-all': one },
      }),
    }),
  });
  try {
    expect((await post(limited, path, bodyOf('ada@example.com'))).status).toBe(200);
    const emails = await limited.db('emails').pluck('kind');
    const paused = await post(limited, path, bodyOf('lin@example.com'));
    expect(paused.status).toBe(503);
    expect(Number(paused.headers.get('retry-after'))).toBeGreaterThan(3_000);
    expect((await paused.json()).message).toContain(says);
    expect(await limited.db('emails').pluck('kind')).toEqual(emails);
  } finally {
    await limited.close();
  }
});

async function count(): Promise<number> {
  return Number((await shop.db('contact_messages').count<{ count: string }>('* as count').first())?.count);
}
