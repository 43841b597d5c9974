import { expect, test } from 'vitest';
import { placeOrder, post, readOrder } from '../testing/buyer.ts';
import { withShop } from '../testing/shop.ts';

const shop = await withShop();
/** More than the process has connections, several times. */
const BURST = 50;

test.each([
  ['messages', 'contact_messages', '/api/contact', { name: 'Eve', message: 'Hello' }],
  ['subscriptions', 'newsletter_subscriptions', '/api/newsletter/subscribe', {}],
])(
  'a burst of %s that cannot be stored leaves buyers a connection',
  async (_what, table, path, body) => {
    const { orderId } = await placeOrder(shop);
    const burst: Promise<Response>[] = [];
    await shop.db.transaction(async (locked) => {
      await locked.raw('lock table ?? in access exclusive mode', [table]);
      for (let n = 0; n < BURST; n++) {
        burst.push(post(shop, path, { ...body, email: `sender-${n}@example.com` }));
      }
      expect(await readOrder(shop, orderId)).toMatchObject({ status: 'pending' });
    });
    for (const answer of await Promise.all(burst)) expect([200, 503]).toContain(answer.status);
  },
  60_000,
);
