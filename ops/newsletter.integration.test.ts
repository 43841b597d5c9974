import { expect, test } from 'vitest';
import { runOps } from '../testing/operator.ts';
import { request } from '../testing/request.ts';
import { withShop } from '../testing/shop.ts';

const shop = await withShop();

test('exports the confirmed addresses, each with its unsubscribe link, and no formulas', async () => {
  const confirmed = { status: 'confirmed', confirmed_at: new Date() };
  await shop.db('newsletter_subscriptions').insert([
    { email: 'ada@example.com', ...confirmed },
    { email: '=cmd@example.com', ...confirmed },
    { email: 'waiting@example.com', status: 'pending' },
    { email: 'gone@example.com', status: 'unsubscribed' },
  ]);

  const { out, code } = await runOps(shop, ['newsletter', 'export']);
  expect(code).toBe(0);
  const [header, ...lines] = out.split('\n');
  expect(header).toBe('"email","subscribed_at","confirmed_at","unsubscribe_url"');
  expect(lines.map((line) => line.split(',')[0]).sort()).toEqual([
    '"\'=cmd@example.com"',
    '"ada@example.com"',
  ]);

  const link = /"([^"]+)"$/.exec(lines.find((line) => line.includes('ada@')) ?? '')?.[1] ?? '';
  const token = new URL(link).searchParams.get('token') ?? '';
  const answer = await request(`${shop.url}/api/newsletter/unsubscribe?token=${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
  expect(answer.status).toBe(200);
  expect((await runOps(shop, ['newsletter', 'export', '--json'])).out).not.toContain('ada@');
});

test('exports a long list page by page, complete', async () => {
  await shop.db.raw(
    `insert into newsletter_subscriptions (email, status, confirmed_at)
     select 'reader' || n || '@example.com', 'confirmed', now() from generate_series(1, 2500) as n`,
  );
  const { out } = await runOps(shop, ['newsletter', 'export', '--json']);
  const readers = out.split('\n').filter((line) => line.includes('"reader'));
  expect(new Set(readers).size).toBe(2_500);
});
