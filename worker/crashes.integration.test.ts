import { freePort } from '@querywright/sandbox/listen';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { listenToOrders } from '../infra/order-stream.ts';
import { mailsAbout, type PlacedOrder, pay, placeOrder, readOrder, untilStatus } from '../testing/buyer.ts';
import { listOrderHistory } from '../testing/order-history.ts';
import type { Process, ProcessName } from '../testing/processes.ts';
import { type Shop, startShop } from '../testing/shop.ts';
import { startProcessFor } from '../testing/shop-processes.ts';
import { deliver, succeededEvent } from '../testing/stripe-events.ts';
import { waitFor } from '../testing/wait-for.ts';

// Real processes of the built product, killed at the worst moments. The shop in this process takes the orders; it has
// no worker.

let shop: Shop;
const processes: Process[] = [];
beforeAll(async () => {
  shop = await startShop();
});
afterEach(async () => {
  shop.sandbox.faults.clear();
  await Promise.all(processes.splice(0).map((running) => running.kill()));
});
afterAll(() => shop.close());

describe('a worker killed with kill -9', () => {
  test.each([
    ['before it does anything', 'before-apply-payment-event', 'pending'],
    ['before its transaction commits', 'in-apply-payment-event', 'pending'],
    ['after its transaction committed', 'after-apply-payment-event', 'paid'],
  ] as const)(
    '%s: the job resumes within 20 s and has one effect',
    async (_when, point, left) => {
      const doomed = await start('worker', { CRASH_AT: point });
      const order = await buyWithOneEvent();
      await doomed.untilExit();
      expect((await readOrder(shop, order.orderId)).status).toBe(left);

      await start('worker');
      await untilStatus(shop, order.orderId, 'paid', 20_000);
      await expectOneEffect(order);
    },
    60_000,
  );

  test('after its transaction committed: the event streams have been notified', async () => {
    const stream = listenToOrders(shop.config.databaseUrl, pino({ level: 'silent' }));
    onTestFinished(() => stream.close());
    await waitFor('the stream listens', async () => stream.isListening());
    const notified: (string | null)[] = [];
    stream.subscribeToAll((orderId) => notified.push(orderId));

    const doomed = await start('worker', { CRASH_AT: 'after-apply-payment-event' });
    const { orderId } = await buyWithOneEvent();
    await doomed.untilExit();

    await waitFor('the notice', async () => notified.includes(orderId));
  });

  test('twice on the same job: it is still completed', async () => {
    const first = await start('worker', { CRASH_AT: 'in-apply-payment-event' });
    const order = await buyWithOneEvent();
    await first.untilExit();
    const second = await start('worker', { CRASH_AT: 'in-apply-payment-event' });
    await second.untilExit();

    await start('worker');
    await untilStatus(shop, order.orderId, 'paid', 30_000);
    await expectOneEffect(order);
  });

  test('between acceptance by the mail server and recording it: the mail may be sent again, as the same message', async () => {
    const doomed = await start('worker', { CRASH_AT: 'in-send-email' });
    const order = await placeOrder(shop);
    await pay(shop, order);
    await doomed.untilExit();

    await start('worker');
    await waitFor(
      'both mails are sent',
      async () => {
        const mails = await shop.db('emails').where('order_id', order.orderId);
        return mails.length === 2 && mails.every((mail) => mail.status === 'sent');
      },
      { timeoutMs: 60_000 },
    );

    const mails = await mailsAbout(shop, order.orderId);
    expect(new Set(mails.map((mail) => mail.headers['message-id'])).size).toBe(2);
    expect(mails.length).toBeLessThanOrEqual(4);
  });
});

describe('a web process killed with kill -9', () => {
  test('between commit and answer: the event settles without being redelivered', async () => {
    const order = await placeOrder(shop);
    const port = await freePort();
    const doomed = await start('web', { PORT: String(port), CRASH_AT: 'after-webhook-commit' });
    await start('worker');

    const answer = await deliver({ url: `http://localhost:${port}` }, succeededEvent(order)).catch(
      () => 'cut off',
    );
    expect(answer).toBe('cut off');
    await doomed.untilExit();

    await untilStatus(shop, order.orderId, 'paid', 20_000);
    await expectOneEffect(order);
  }, 60_000);

  test.each([
    ['after the order was stored', 'after-order-commit'],
    ['after Stripe made the intent', 'after-provider-call'],
  ])(
    '%s: the same request again returns the same order and intent',
    async (_when, point) => {
      const port = await freePort();
      const doomed = await start('web', { PORT: String(port), CRASH_AT: point });
      const key = crypto.randomUUID();
      await expect(placeOrder({ url: `http://localhost:${port}` }, {}, key)).rejects.toThrow();
      await doomed.untilExit();

      const order = await placeOrder(shop, {}, key);

      const { count } =
        (await shop.db('orders').where({ idempotency_key: key }).count('* as count').first()) ?? {};
      expect(Number(count)).toBe(1);
      const intents = await shop.sandbox.stripeClient.paymentIntents.list({ limit: 100 });
      expect(intents.data.filter((intent) => intent.metadata.orderId === order.orderId)).toHaveLength(1);
    },
    60_000,
  );
});

test('SIGTERM ends web and worker cleanly within 10 s', async () => {
  const port = await freePort();
  const [web, worker] = [await start('web', { PORT: String(port) }), await start('worker')];
  const stream = await fetch(
    `http://localhost:${port}/api/orders/${(await placeOrder(shop)).orderId}/events`,
  );
  expect(stream.status).toBe(200);

  const started = Date.now();
  expect(await Promise.all([web.stop(), worker.stop()])).toEqual([0, 0]);
  expect(Date.now() - started).toBeLessThan(10_000);
}, 30_000);

async function start(name: ProcessName, env: Record<string, string> = {}): Promise<Process> {
  const running = await startProcessFor(shop, name, env);
  processes.push(running);
  return running;
}

/** Places and pays an order whose success is the only event, so that a worker dies of no other. */
async function buyWithOneEvent(): Promise<PlacedOrder> {
  shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
  const order = await placeOrder(shop);
  const { latest_charge } = await pay(shop, order);
  const success = succeededEvent(order, { latest_charge });
  expect((await deliver(shop, success)).status).toBe(200);
  expect(await shop.db('payment_events').where({ event_id: success.id }).first()).toBeDefined();
  return order;
}

/** One move to paid, and one mail each to buyer and staff. */
async function expectOneEffect(order: PlacedOrder): Promise<void> {
  const history = await listOrderHistory(shop.db, order.orderId);
  expect(history.map((row) => row.to)).toEqual(['pending', 'paid']);
  await waitFor('both mails', async () => (await mailsAbout(shop, order.orderId)).length >= 2, {
    timeoutMs: 40_000,
  });
  const mails = await mailsAbout(shop, order.orderId);
  expect(mails.map((mail) => mail.to.join()).sort()).toEqual(['ada@example.com', shop.config.mail.staff]);
}
