import { describe, expect, test } from 'vitest';
import { post } from '../testing/buyer.ts';
import { request } from '../testing/request.ts';
import { withShop } from '../testing/shop.ts';
import { waitFor } from '../testing/wait-for.ts';

const shop = await withShop({ worker: true });

describe('subscribing takes two steps', () => {
  test('the e-mail’s button confirms, a welcome follows, and a second subscription is a conflict', async () => {
    expect((await subscribe('Grace@Example.COM')).status).toBe(200);
    const token = await tokenFor('Grace@example.com', '/newsletter/confirm');
    expect(await status('Grace@example.com')).toBe('pending');

    await request(`${shop.url}/api/newsletter/confirm?token=${token}`);
    expect(await status('Grace@example.com'), 'a link scanner’s GET changes nothing').toBe('pending');
    expect((await post(shop, '/api/newsletter/confirm', { token })).status).toBe(200);

    expect(await status('Grace@example.com')).toBe('confirmed');
    await tokenFor('Grace@example.com', '/newsletter/unsubscribe');
    const again = await subscribe('Grace@example.com');
    expect(again.status).toBe(409);
    expect(await again.json()).toMatchObject({
      code: 'already_subscribed',
      message: 'This email is already subscribed.',
    });
    expect((await post(shop, '/api/newsletter/confirm', { token })).status, 'twice is nothing').toBe(200);
    expect(await mailsTo('Grace@example.com')).toHaveLength(2);
  });

  test('an address in capitals is the same subscription, also when both are asked for at once', async () => {
    await Promise.all(['mixed@example.com', 'MIXED@example.com', 'Mixed@example.com'].map(subscribe));
    const rows = await shop.db('newsletter_subscriptions').whereRaw(`lower(email) = 'mixed@example.com'`);
    expect(rows).toHaveLength(1);
    const token = await tokenFor(rows[0].email, '/newsletter/confirm');
    await post(shop, '/api/newsletter/confirm', { token });
    expect((await subscribe('MIXED@EXAMPLE.com')).status).toBe(409);
  });

  test('does not send a second link at once', async () => {
    await subscribe('again@example.com');
    await subscribe('again@example.com');
    await tokenFor('again@example.com', '/newsletter/confirm');
    expect(
      await shop
        .db('emails')
        .where({ kind: 'newsletter_confirmation' })
        .whereIn('dedupe_key', await subjects('again@example.com')),
    ).toHaveLength(1);
  });
});

describe('leaving', () => {
  test('one click in the mail client unsubscribes, and subscribing again works', async () => {
    const welcome = await confirmed('leaver@example.com');
    expect(welcome.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
    const link = /<(.+)>/.exec(welcome.headers['list-unsubscribe'] ?? '')?.[1] ?? '';

    const click = () =>
      request(link, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });
    expect((await click()).status).toBe(200);
    expect((await click()).status, 'twice is nothing').toBe(200);
    expect(await status('leaver@example.com')).toBe('unsubscribed');

    expect((await subscribe('leaver@example.com')).status).toBe(200);
    expect(await status('leaver@example.com')).toBe('pending');
    await waitFor('a second link', async () => {
      const mails = await mailsTo('leaver@example.com');
      return mails.filter((mail) => mail.text.includes('/newsletter/confirm?')).length === 2;
    });
    const token = await tokenFor('leaver@example.com', '/newsletter/confirm');
    expect((await post(shop, '/api/newsletter/confirm', { token })).status).toBe(200);
    await waitFor('a second welcome', async () => (await mailsTo('leaver@example.com')).length === 4);
  });

  test('following the header’s address, as scanners do, leads to the page and changes nothing', async () => {
    const welcome = await confirmed('scanned@example.com');
    const link = /<(.+)>/.exec(welcome.headers['list-unsubscribe'] ?? '')?.[1] ?? '';
    for (const method of ['GET', 'HEAD']) {
      const answer = await request(link, { method });
      expect(answer.status).toBe(303);
      expect(answer.headers.get('location')).toBe(link.replace(`${shop.url}/api`, ''));
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
    expect(await status('scanned@example.com')).toBe('confirmed');
  });

  test('the page’s button unsubscribes too', async () => {
    await confirmed('button@example.com');
    const token = await tokenFor('button@example.com', '/newsletter/unsubscribe');
    expect((await post(shop, '/api/newsletter/unsubscribe', { token })).status).toBe(200);
    expect(await status('button@example.com')).toBe('unsubscribed');
  });
});

test.each(['/api/newsletter/unsubscribe', '/newsletter/confirm', '/newsletter/unsubscribe'])(
  'OPTIONS of %s is not a call of the API',
  async (path) => {
    const answer = await request(`${shop.url}${path}`, { method: 'OPTIONS' });
    expect([404, 405]).toContain(answer.status);
  },
);

describe('rejects', () => {
  test.each([
    [''],
    ['nobody'],
    ['a@example.com,b@example.com'],
    ['a@example.com\r\nBcc: b@example.com'],
    [7],
    [null],
  ])('the address %j is 400 and named', async (email) => {
    const answer = await post(shop, '/api/newsletter/subscribe', { email });
    expect(answer.status).toBe(400);
    expect(Object.keys((await answer.json()).fields)).toEqual(['email']);
  });

  test('a token that is forged, missing, or for unsubscribing does not confirm', async () => {
    await confirmed('purpose@example.com');
    const leaving = await tokenFor('purpose@example.com', '/newsletter/unsubscribe');
    for (const token of [leaving, `${leaving}x`, 'a.0.b', '']) {
      expect((await post(shop, '/api/newsletter/confirm', { token })).status).toBe(400);
    }
    const forged = await request(`${shop.url}/api/newsletter/unsubscribe?token=a.0.b`, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    });
    expect(forged.status).toBe(400);
  });

  test('a link older than 48 hours does not confirm', async () => {
    await subscribe('late@example.com');
    const { id } = await shop.db('newsletter_subscriptions').where({ email: 'late@example.com' }).first('id');
    const token = shop.api.tokens.sign('newsletter-confirm', id, -1);
    expect((await post(shop, '/api/newsletter/confirm', { token })).status).toBe(400);
    expect(await status('late@example.com')).toBe('pending');
  });

  test.each([{}, { email: 'a@example.com', admin: true }, { email: 'a@example.com', website: 7 }])(
    'the body %j is 400',
    async (body) => {
      expect((await post(shop, '/api/newsletter/subscribe', body)).status).toBe(400);
    },
  );

  test('a bot that fills in the honeypot gets the usual answer, and nothing is stored', async () => {
    const body = { email: 'robot@example.com', website: 'https://spam.example' };
    expect((await post(shop, '/api/newsletter/subscribe', body)).status).toBe(200);
    expect(await shop.db('newsletter_subscriptions').where({ email: body.email })).toEqual([]);
  });

  test('a one-click request needs its RFC 8058 body', async () => {
    await confirmed('prefetched@example.com');
    const token = await tokenFor('prefetched@example.com', '/newsletter/unsubscribe');
    const answer = await request(`${shop.url}/api/newsletter/unsubscribe?token=${token}`, {
      method: 'POST',
      body: new URLSearchParams({ anything: 'else' }),
    });
    expect(answer.status).toBe(400);
    expect(await status('prefetched@example.com')).toBe('confirmed');
  });
});

function subscribe(email: string) {
  return post(shop, '/api/newsletter/subscribe', { email });
}

/** Subscribes and confirms; returns the welcome mail. */
async function confirmed(email: string) {
  await subscribe(email);
  await post(shop, '/api/newsletter/confirm', { token: await tokenFor(email, '/newsletter/confirm') });
  return waitFor('the welcome', async () =>
    (await mailsTo(email)).find((mail) => 'list-unsubscribe' in mail.headers),
  );
}

/** The token in the link that a mail to this address carries. */
async function tokenFor(email: string, path: string): Promise<string> {
  return waitFor(`a link to ${path} for ${email}`, async () => {
    for (const mail of await mailsTo(email)) {
      const token = new RegExp(`${path}\\?token=([\\w.-]+)`).exec(mail.text)?.[1];
      if (token) return token;
    }
    return undefined;
  });
}

function mailsTo(email: string) {
  return shop.sandbox.inbox.list(email);
}

async function status(email: string): Promise<string> {
  return (await shop.db('newsletter_subscriptions').where({ email }).first('status'))?.status;
}

async function subjects(email: string): Promise<string[]> {
  const row = await shop.db('newsletter_subscriptions').where({ email }).first('id');
  return Array.from({ length: 5 }, (_, i) => `${row.id}:${i + 1}`);
}
