import { expect, test } from 'vitest';
import { readOrderTimeline } from '../db/order-timeline.ts';
import { pay, placeOrder, untilStatus } from '../testing/buyer.ts';
import { withShop } from '../testing/shop.ts';
import { waitFor } from '../testing/wait-for.ts';

const shop = await withShop({ worker: true });

test('one timeline shows the moves, events, jobs and mails of an order', async () => {
  const order = await placeOrder(shop);
  await pay(shop, order);
  await untilStatus(shop, order.orderId, 'paid');

  const found = await waitFor('both mails are sent', async () => {
    const timeline = await readOrderTimeline(shop.db, order.orderId);
    const sent = timeline?.timeline.filter((entry) => entry.what === 'mail' && entry.text.endsWith('sent'));
    return sent?.length === 2 ? timeline : undefined;
  });

  const lines = found.timeline.map(({ what, text }) => `${what} ${text}`);
  expect(lines[0]).toBe('move pending (order created)');
  expect(lines).toContain('move pending → paid (webhook)');
  expect(lines).toContainEqual(
    expect.stringMatching(/^event stripe payment_intent\.succeeded evt_\w+: processed$/),
  );
  expect(lines.filter((line) => line.startsWith('job send-email'))).toHaveLength(2);
});

test('an unknown order has no timeline', async () => {
  expect(await readOrderTimeline(shop.db, crypto.randomUUID())).toBeUndefined();
});
