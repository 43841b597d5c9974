import { afterEach, beforeEach, expect, test } from 'vitest';
import { queueEmails } from '../db/emails.ts';
import { transact } from '../db/unit-of-work.ts';
import { registry } from '../infra/metrics.ts';
import { refreshGauges } from '../infra/metrics-gauges.ts';
import { observeShop } from '../orders/observe-shop.ts';
import { pay, placeOrder, post, untilStatus } from '../testing/buyer.ts';
import { untilApplied } from '../testing/inbox.ts';
import { type Shop, startShop } from '../testing/shop.ts';
import { deliver, succeededEvent } from '../testing/stripe-events.ts';
import { waitFor } from '../testing/wait-for.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await startShop();
  shop.startWorker();
  await waitFor('the first check', () => shop.db('schedules').where({ name: 'remind-staff' }).first());
});
afterEach(() => shop.close());

test('sends no reminder while nothing needs attention', async () => {
  await buyOrder();
  await untilWebhook();
  await shop.db('orders').update({ paid_at: shop.db.raw(`now() - interval '20 minutes'`) });
  await check();
  expect(await reminders()).toEqual([]);
});

test('reports hourly that orders are paid but no webhooks arrive', async () => {
  shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
  await buyOrder();
  await shop.db('orders').update({ paid_at: shop.db.raw(`now() - interval '20 minutes'`) });

  await check();
  const [first] = await untilReminded(1);
  expect(first).toMatchObject({
    to: [shop.config.mail.staff],
    subject: 'Needs attention: no webhook from Stripe for an hour, though 1 order was paid',
  });
  expect(first?.text).toContain('webhooks check');
  expect(await gauges()).toMatchObject({ stripe: 1, paypal: 0, unconfirmed: 0 });

  await check();
  expect(await queued()).toBe(1);
  await passTime('webhooks_silent:stripe', '59 minutes');
  await check();
  expect(await queued()).toBe(1);
  await passTime('webhooks_silent:stripe', '1 minute');
  await check();
  await untilReminded(2);

  shop.sandbox.faults.clear();
  await buyOrder();
  await untilWebhook();
  await passTime('webhooks_silent:stripe', '1 hour');
  await check();
  expect(await queued()).toBe(2);
  expect(await gauges()).toMatchObject({ stripe: 0 });
});

test('expects no webhooks from an endpoint that is turned off', async () => {
  const off = await startShop({ env: { STRIPE_WEBHOOK_SECRET: '' } });
  try {
    off.startWorker();
    await buyOrder(off);
    await off.db('orders').update({ paid_at: off.db.raw(`now() - interval '20 minutes'`) });
    await waitFor('the first check', () => off.db('schedules').where({ name: 'remind-staff' }).first());
    await check(off);
    expect(await queued(off)).toBe(0);
    expect(await gauges(off)).toMatchObject({ stripe: 0 });
  } finally {
    await off.close();
  }
});

test('reports paid orders without a confirmation e-mail', async () => {
  const orderId = await buyOrder();
  const confirmation = { kind: 'order_confirmation', dedupeKey: 'stuck', params: {}, orderId } as const;
  await transact(shop.db, null, (trx) => queueEmails(trx, [{ ...confirmation, delayMs: 3_600_000 }]));
  await check();
  expect(await queued()).toBe(0);
  await shop
    .db('emails')
    .where({ dedupe_key: 'stuck' })
    .update({ created_at: shop.db.raw(`now() - interval '16 minutes'`) });
  await check();
  const [mail] = await untilReminded(1);
  expect(mail?.subject).toBe('Needs attention: 1 paid order without an e-mail for 15 minutes');
  expect(await gauges()).toMatchObject({ unconfirmed: 1 });
});

test('reminds staff daily of work that waits for a person', async () => {
  // A late webhook would overwrite the status, facts and times that are set below.
  shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
  const order = await placeOrder(shop);
  await deliver(shop, succeededEvent(order, { amount_received: 100 }));
  await untilStatus(shop, order.orderId, 'review');
  const disputed = await buyOrder();
  await untilApplied(shop);
  const dispute = { amount: 100, outcome: 'open', evidenceDueAt: Date.now() + 86_400_000 };
  await shop
    .db('orders')
    .where({ id: disputed })
    .update({
      status: 'disputed',
      payment_facts: JSON.stringify({ captures: {}, disputes: { dp_1: dispute } }),
    });
  const longAgo = new Date(Date.now() - 7_200_000);
  await shop.db('orders').where({ id: order.orderId }).update({ updated_at: longAgo });
  const job = { job: 'reconcile-order', queue: 'payments', payload: { orderId: order.orderId } };
  await shop.db('outbox').insert({ ...job, status: 'dead', due_at: longAgo });
  const email = { kind: 'order_notice', dedupe_key: 'refused', order_id: order.orderId };
  await shop.db('emails').insert({ ...email, status: 'refused', claimed_at: longAgo });
  const transfer = { provider: 'stripe', amount: 100, currency: 'USD', failed_at: longAgo };
  await shop.db('failed_transfers').insert([
    { ...transfer, kind: 'payout', transfer_id: 'po_1' },
    { ...transfer, kind: 'refund', transfer_id: 're_1', order_id: disputed },
  ]);
  const yesterday = new Date(Date.now() - 86_400_000);
  const message = { name: 'Ada', email: 'ada@example.com', message: 'Hello', created_at: yesterday };
  await shop.db('contact_messages').insert(message);

  await check();
  const subjects = (await untilReminded(7)).map(({ subject }) => subject);
  expect(subjects.sort()).toEqual([
    'Needs attention: 1 e-mail refused by the mail server',
    'Needs attention: 1 job failed permanently',
    'Needs attention: 1 message to answer',
    'Needs attention: 1 payment to review',
    'Needs attention: 1 payout failed',
    'Needs attention: 1 refund sent back by the bank',
    'Needs attention: evidence for a dispute is due',
  ]);
  await passTime('orders_in_review', '23 hours');
  await check();
  expect(await queued()).toBe(7);
  await passTime('orders_in_review', '1 hour');
  await check();
  await untilReminded(8);
});

/** What a scrape shows of the two silences. */
async function gauges(at = shop) {
  await refreshGauges({ ...at.workerParts, observe: () => observeShop(at.workerParts) });
  const text = await registry.metrics();
  const value = (series: string) => Number(text.split(`\nquerywright_orders_${series} `)[1]?.split('\n')[0]);
  return {
    stripe: value('paid_without_webhook{provider="stripe"}'),
    paypal: value('paid_without_webhook{provider="paypal"}'),
    unconfirmed: value('unconfirmed'),
  };
}

async function buyOrder(at = shop): Promise<string> {
  const order = await placeOrder(at);
  await pay(at, order);
  await post(at, '/api/confirm-payment', { orderId: order.orderId, paymentIntentId: order.paymentIntentId });
  await untilStatus(at, order.orderId, 'paid');
  return order.orderId;
}

async function untilWebhook(): Promise<void> {
  await waitFor('a webhook', () => shop.db('payment_events').where({ source: 'webhook' }).first('id'));
}

/** Lets the job run once, now. */
async function check(at = shop): Promise<void> {
  const done = async () => {
    const rows = await at.db('outbox').where({ job: 'remind-staff', status: 'done' });
    return rows.length;
  };
  const before = await done();
  await at
    .db('schedules')
    .where({ name: 'remind-staff' })
    .update({ next_at: new Date(0) });
  await waitFor('the check is done', async () => (await done()) > before);
}

/** As if this much time had passed since staff were reminded. */
async function passTime(name: string, interval: string): Promise<void> {
  const changed = await shop
    .db('schedules')
    .where({ name: `remind-staff ${name}` })
    .update({ next_at: shop.db.raw('next_at - cast(? as interval)', [interval]) });
  expect(changed).toBe(1);
}

async function queued(at = shop): Promise<number> {
  return (await at.db('emails').where({ kind: 'staff_reminder' })).length;
}

async function reminders(): Promise<{ to: string[]; subject: string; text: string }[]> {
  const answer = await fetch(`${shop.sandbox.url}/inbox/messages`);
  const all = (await answer.json()) as { to: string[]; subject: string; text: string }[];
  return all.filter(({ subject }) => subject.startsWith('Needs attention'));
}

async function untilReminded(count: number) {
  await waitFor(`${count} reminders`, async () => (await reminders()).length === count);
  expect(await queued()).toBe(count);
  return reminders();
}
