import { afterAll, beforeAll, expect, test } from 'vitest';
import { mailsAbout, pay, placeOrder, post, untilStatus } from '../testing/buyer.ts';
import { approve, capture, paypalControl, placePaypalOrder } from '../testing/paypal.ts';
import type { Process } from '../testing/processes.ts';
import { type Shop, startShop } from '../testing/shop.ts';
import { startBoth } from '../testing/shop-processes.ts';
import { waitFor } from '../testing/wait-for.ts';

// Web and worker of the built product. The shop in this process lends its sandbox and database.

let shop: Shop;
let built: Shop;
let web: Process & { url: string };
let worker: Process;
beforeAll(async () => {
  shop = await startShop();
  ({ web, worker } = await startBoth(shop, { LOG_LEVEL: 'debug' }));
  built = { ...shop, url: web.url };
}, 60_000);
afterAll(async () => {
  await Promise.all([web, worker].map((running) => running.stop()));
  await shop.close();
});

test('the web process moves no order: not by webhook, confirm call or capture call', async () => {
  const byCard = await placeOrder(built);
  await pay(built, byCard);
  const { orderId, paymentIntentId } = byCard;
  await post(built, '/api/confirm-payment', { orderId, paymentIntentId });
  await untilStatus(built, orderId, 'paid');

  const byPaypal = await placePaypalOrder(built);
  await approve(built, byPaypal);
  expect(await (await capture(built, byPaypal)).json()).toEqual({ status: 'COMPLETED' });
  await post(built, '/api/confirm-paypal-payment', byPaypal);
  await untilStatus(built, byPaypal.orderId, 'paid');

  const declined = await placePaypalOrder(built);
  await approve(built, declined, 'pending');
  await capture(built, declined);
  const [held] = [...shop.sandbox.paypal.context.state.captures.values()].slice(-1);
  await paypalControl(built, `/captures/${held?.id}/deny`);
  await untilStatus(built, declined.orderId, 'failed');

  for (const id of [orderId, byPaypal.orderId, declined.orderId]) {
    await waitFor('the worker’s log line', () => movesIn(worker).includes(id));
    expect(movesIn(web)).not.toContain(id);
  }
  expect(web.output()).not.toContain('order moved');
  await waitFor('both mails', async () => (await mailsAbout(shop, orderId)).length === 2);
}, 60_000);

function movesIn(running: Process): string {
  return running
    .output()
    .split('\n')
    .filter((line) => line.includes('order moved'))
    .join('\n');
}
