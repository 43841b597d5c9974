import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createRateLimits } from '../../infra/rate-limits.ts';
import { placeOrder } from '../../testing/buyer.ts';
import { atDesk } from '../../testing/desk.ts';
import { withShop } from '../../testing/shop.ts';

const points = { desk: 8, 'desk-action': 2 };
const shop = await withShop({
  parts: ({ db }) => ({
    rateLimits: createRateLimits({
      ...{ queuePrefix: 'test', redis: undefined, db },
      overrides: {
        desk: { points: points.desk, duration: 600 },
        'desk-action': { points: points['desk-action'], duration: 600 },
      },
    }),
  }),
});

test('calls and actions are limited per person', async () => {
  const olive = await atDesk(shop);
  const { orderId } = await placeOrder(shop);
  const note = () => olive.actOn(orderId, { action: 'note', reason: 'Called', key: randomUUID() });
  for (let used = 0; used < points['desk-action']; used++) expect((await note()).status).toBe(200);
  await expectTooMany(await note());
  const job = { action: 'discard', reason: 'Done', key: randomUUID() };
  await expectTooMany(await olive.act('/api/desk/jobs/1/actions', job));

  let answer = await olive.get('/api/desk/me');
  for (let used = 0; used < points.desk && answer.ok; used++) answer = await olive.get('/api/desk/me');
  await expectTooMany(answer);

  const vera = await atDesk(shop, 'person-viewer');
  expect((await vera.get('/api/desk/me')).status).toBe(200);
  expect(await shop.db('desk_actions').where({ order_id: orderId })).toHaveLength(points['desk-action']);
});

async function expectTooMany(answer: Response): Promise<void> {
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([429, 'no-store']);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await answer.json()).message).toContain('Please try again in');
}
