import { expect, inject, test } from 'vitest';
import { createDatabase } from '../db/database.ts';
import { createTestDatabase } from '../testing/databases.ts';
import { request } from '../testing/request.ts';
import { type ShopOptions, startShop } from '../testing/shop.ts';
import { waitFor } from '../testing/wait-for.ts';

test('is ready if every dependency is available', async () => {
  await withShop({}, async (url) => {
    const ready = await waitFor('it is ready', async () => {
      const answer = await request(`${url}/readyz`);
      return (await answer.clone().json()).status === 'ready' ? answer : undefined;
    });
    expect(ready.headers.get('cache-control')).toBe('no-store');
    expect(await ready.json()).toEqual({
      status: 'ready',
      missing: [],
      checks: { database: 'ok', queue: 'ok', liveUpdates: 'ok', stripeWebhook: 'ok', paypalWebhook: 'ok' },
    });
  });
});

test('readiness names unavailable dependencies while the process stays alive', async () => {
  const away = createDatabase('postgres://localhost:9/none');
  await withShop({ parts: () => ({ db: away }) }, async (url) => {
    // The queue's connection, opened a moment ago, may be on its way yet.
    const answer = await waitFor('the queue is there', async () => {
      const { status, body } = await read(`${url}/readyz`);
      return body.checks.queue === 'ok' ? { status, body } : undefined;
    });
    expect(answer).toMatchObject({
      status: 503,
      body: {
        status: 'not ready',
        missing: expect.arrayContaining(['database']),
        checks: { database: 'unreachable' },
      },
    });
    expect((await request(`${url}/healthz`)).status).toBe(200);
  });
  await away.destroy();
});

test('is not ready without its schema, or while the database is read-only', async () => {
  const db = createDatabase(await createTestDatabase(inject('postgresUrl')));
  await withShop({ parts: () => ({ db }) }, async (url) => {
    const status = async () => (await request(`${url}/readyz`)).status;
    expect(await status()).toBe(200);
    await db.raw('alter table outbox rename to elsewhere');
    expect(await status()).toBe(503);
    await db.raw('alter table elsewhere rename to outbox');
    expect(await status()).toBe(200);

    const { rows } = await db.raw<{ rows: [{ name: string }] }>('select current_database() as name');
    await db.raw(`alter database ${rows[0].name} set default_transaction_read_only = on`);
    await db.raw('set default_transaction_read_only = on');
    expect(await status()).toBe(503);
  });
  await db.destroy();
});

test('without a webhook secret a provider’s endpoint is 404, and readiness reports it', async () => {
  await withShop({ env: { STRIPE_WEBHOOK_SECRET: '', PAYPAL_WEBHOOK_ID: '' } }, async (url) => {
    for (const provider of ['stripe', 'paypal']) {
      const answer = await request(`${url}/api/webhooks/${provider}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
      expect(answer.status, provider).toBe(404);
    }
    const { checks } = await (await request(`${url}/readyz`)).json();
    expect(checks).toMatchObject({ stripeWebhook: 'off', paypalWebhook: 'off' });
  });
});

async function read(address: string): Promise<{ status: number; body: { checks: Record<string, string> } }> {
  const answer = await request(address);
  return { status: answer.status, body: (await answer.json()) as { checks: Record<string, string> } };
}

async function withShop(options: ShopOptions, use: (url: string) => Promise<void>): Promise<void> {
  const shop = await startShop(options);
  try {
    await use(shop.url);
  } finally {
    await shop.close();
  }
}
