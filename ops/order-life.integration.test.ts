import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OrderTimeline } from '../db/order-timeline.ts';
import { mailsAbout, pay, placeOrder, untilStatus } from '../testing/buyer.ts';
import type { Process } from '../testing/processes.ts';
import { type Shop, startShop } from '../testing/shop.ts';
import { environmentOf, startBoth } from '../testing/shop-processes.ts';
import { stripeControl } from '../testing/stripe.ts';
import { waitFor } from '../testing/wait-for.ts';

// The whole life of one order, in processes of the built product, read as an operator reads it.

let shop: Shop;
let web: Process & { url: string };
let worker: Process;
beforeAll(async () => {
  shop = await startShop();
  ({ web, worker } = await startBoth(shop));
}, 60_000);
afterAll(async () => {
  await Promise.all([web.stop(), worker.stop()]);
  await shop.close();
});

test('purchase, partial refund, dispute won, final refund: one timeline shows it all', async () => {
  const order = await placeOrder(web);
  const { latest_charge: charge = '' } = await pay(shop, order);
  await untilStatus(web, order.orderId, 'paid');

  await shop.sandbox.stripeClient.refunds.create({ charge, amount: 100_000 });
  await untilStatus(web, order.orderId, 'partially_refunded');

  const dispute = await stripeControl<{ id: string }>(shop, `/charges/${charge}/dispute`);
  await untilStatus(web, order.orderId, 'disputed');
  await stripeControl(shop, `/disputes/${dispute.id}/close`, { outcome: 'won' });
  await untilStatus(web, order.orderId, 'partially_refunded');

  await shop.sandbox.stripeClient.refunds.create({ charge });
  expect((await untilStatus(web, order.orderId, 'refunded')).amountRefunded).toBe(299_900);
  await waitFor('all seven mails', async () => (await mailsAbout(shop, order.orderId)).length === 7);
  await waitFor(
    'only the reminder of the evidence deadline is open',
    async () => (await shop.db('outbox').where({ status: 'open' })).length === 1,
  );

  const { order: found, timeline }: OrderTimeline = JSON.parse(ops('order', 'show', order.orderId, '--json'));
  expect(found).toMatchObject({ status: 'refunded', amount: 299_900, amountRefunded: 299_900 });
  const textsOf = (what: string) =>
    timeline.filter((entry) => entry.what === what).map((entry) => entry.text);
  expect(textsOf('move')).toEqual([
    'pending (order created)',
    'pending → paid (webhook)',
    'paid → partially_refunded (webhook)',
    'partially_refunded → disputed (webhook)',
    'disputed → partially_refunded (webhook)',
    'partially_refunded → refunded (webhook)',
  ]);
  for (const type of [
    'payment_intent.succeeded',
    'charge.refunded',
    'charge.dispute.created',
    'charge.dispute.closed',
  ]) {
    expect(textsOf('event')).toContainEqual(expect.stringMatching(`^stripe ${type} evt_\\w+: processed$`));
  }
  expect(
    textsOf('mail')
      .map((text) => text.replace(/ #\d+/, ''))
      .sort(),
  ).toEqual([
    'Dispute closed to ada@example.com: sent',
    `Dispute notice to ${shop.config.mail.staff}: sent`,
    `Dispute notice to ${shop.config.mail.staff}: sent`,
    'Dispute reminder to a recipient yet unknown: queued',
    'Order confirmation to ada@example.com: sent',
    `Order notice to ${shop.config.mail.staff}: sent`,
    'Refund notice to ada@example.com: sent',
    'Refund notice to ada@example.com: sent',
  ]);
  // Two events at once: one of them may have been retried.
  const open = textsOf('job').filter((text) => !text.includes(': done, '));
  expect(open).toEqual([expect.stringMatching(/^send-email #\d+: open, 0 failures$/)]);
  const times = timeline.map((entry) => new Date(entry.at).getTime());
  expect(times).toEqual([...times].sort((a, b) => a - b));

  const text = ops('order', 'show', order.orderId);
  expect(text).toMatch(/^refunded +\$2,999\.00$/m);
  expect(text).toMatch(/Z +move +disputed → partially_refunded \(webhook\)$/m);
});

/** The built command, in a separate process. */
function ops(...words: string[]): string {
  const main = path.resolve(import.meta.dirname, '../dist/ops/main.js');
  const env = { PATH: process.env.PATH, ...environmentOf(shop) };
  return execFileSync(process.execPath, [main, ...words], { encoding: 'utf8', timeout: 20_000, env });
}

/** What happens at the bank, by the sandbox's controls. */
