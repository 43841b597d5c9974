import { expect, test } from 'vitest';
import { placeOrder, post, readOrder } from '../testing/buyer.ts';
import { withShop } from '../testing/shop.ts';
import { waitFor } from '../testing/wait-for.ts';

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
    const statuses: number[] = [];
    const burst: Promise<void>[] = [];
    const send = async (n: number) => {
      statuses.push((await post(shop, path, { ...body, email: `sender-${n}@example.com` })).status);
    };
    await shop.db.transaction(async (locked) => {
      await locked.raw('lock table ?? in access exclusive mode', [table]);
      for (let n = 0; n < BURST; n++) burst.push(send(n));
      await waitFor('the burst holds its two connections', async () => (await waitingFor(table)) === 2);
      expect(await readOrder(shop, orderId)).toMatchObject({ status: 'pending' });
      await waitFor('one is refused', () => statuses.length > 0);
      expect(await waitingFor(table)).toBeLessThanOrEqual(2);
    });
    await Promise.all(burst);
    expect(statuses[0]).toBe(503);
    for (const status of statuses) expect([200, 503]).toContain(status);
  },
  60_000,
);

/** How many statements wait for a lock of this table. */
async function waitingFor(table: string): Promise<number> {
  const { rows } = await shop.db.raw('select from pg_locks where not granted and relation = ?::regclass', [
    table,
  ]);
  return rows.length;
}
