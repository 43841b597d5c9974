import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createClient } from '../db/database.ts';
import { NOTIFY, toNotice } from '../db/order-notices.ts';
import { readOrderStatus, type WatchedStatus } from '../db/order-status.ts';
import { pay, placeOrder, untilStatus } from '../testing/buyer.ts';
import { withShop } from '../testing/shop.ts';
import { buyByCard } from '../testing/stripe.ts';
import { waitFor } from '../testing/wait-for.ts';

const shop = await withShop({ worker: true });

let listener: ReturnType<typeof createClient>;
const notices: string[] = [];
beforeAll(async () => {
  listener = createClient(shop.config.databaseUrl, 'test');
  listener.on('notification', ({ payload = '' }) => notices.push(payload));
  await listener.connect();
  await listener.query('listen order_changed');
});
afterAll(() => listener.end());
beforeEach(() => {
  notices.length = 0;
});

test('a settled order is announced with the status that a read would return', async () => {
  const { charge, orderId } = await buyByCard(shop);
  await expectAsRead(await lastStatus(orderId, 'paid'));

  await shop.sandbox.stripeClient.refunds.create({ charge, amount: 100_000 });
  const refunded = await lastStatus(orderId, 'partially_refunded');
  expect(refunded).toMatchObject({ amountRefunded: 100_000, paidAt: expect.stringMatching(/Z$/) });
  await expectAsRead(refunded);
});

test('a declined order is announced with its reason', async () => {
  const order = await placeOrder(shop);
  await pay(shop, order, 'pm_card_chargeDeclined').catch(() => {});
  await untilStatus(shop, order.orderId, 'failed');
  const declined = await lastStatus(order.orderId, 'failed');
  expect(declined.failureReason).toMatch(/declined/i);
  await expectAsRead(declined);
});

test('a status that is too long for a notification is announced by its id', async () => {
  const { orderId } = await placeOrder(shop);
  const status = await readOrderStatus(shop.db, orderId);
  if (!status) throw new Error('The order is missing');
  const notice = toNotice({ ...status, failureReason: 'é'.repeat(4_000) });
  // With named bindings, as a large batch's statement has.
  const saved = 'select cast(:notice as text) as notice, now() as paid_at';
  await shop.db.raw(`select ${NOTIFY} from (${saved}) as saved`, { notice });
  await waitFor('the notice', async () => notices.includes(orderId));
});

async function expectAsRead(status: WatchedStatus): Promise<void> {
  const { version, ...shown } = status;
  const read = await readOrderStatus(shop.db, shown.id);
  expect(read).toMatchObject(shown);
  expect(Object.keys(read ?? {}), 'no second message for the same status').toEqual(Object.keys(status));
  // Another event about the same payment may have changed nothing that the buyer sees.
  expect(version).toBeLessThanOrEqual(read?.version ?? 0);
}

async function lastStatus(orderId: string, status: string): Promise<WatchedStatus> {
  return waitFor(`the notice of ${status}`, async () =>
    notices
      .filter((notice) => notice.startsWith('{'))
      .map((notice) => JSON.parse(notice))
      .findLast((notice) => notice.id === orderId && notice.status === status),
  );
}
