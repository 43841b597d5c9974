import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { retentionRules } from '../db/retention.ts';
import { pay, placeOrder, untilStatus } from '../testing/buyer.ts';
import { runOps } from '../testing/operator.ts';
import { withShop } from '../testing/shop.ts';
import { deliver, event, succeededEvent } from '../testing/stripe-events.ts';
import { Visitor } from '../testing/visitor.ts';
import { waitFor } from '../testing/wait-for.ts';
import { runJob } from './run-job.ts';

const shop = await withShop();

test('expired data is removed in batches; orders and their history stay', async () => {
  const worker = shop.startWorker();
  const [paid, abandoned, recent] = [await placeOrder(shop), await placeOrder(shop), await placeOrder(shop)];
  await pay(shop, paid);
  await deliver(shop, event('customer.created', { id: 'cus_1' }));
  await untilStatus(shop, paid.orderId, 'paid');
  await waitFor('its e-mails are sent', async () => (await sent(paid.orderId)) === 2);
  await worker.close();
  const { db } = shop;
  await db('contact_messages').insert({ name: 'Ada', email: 'ada@example.com', message: 'Hello' });
  await db('newsletter_subscriptions').insert({
    email: 'late@example.com',
    confirmation_sent_at: db.fn.now(),
  });
  await db('orders').whereIn('id', [abandoned.orderId, recent.orderId]).update({ status: 'canceled' });
  await db.raw(`insert into outbox (job, queue, payload, status, due_at, done_at)
    select 'send-email', 'emails', '{}', 'done', now(), now() from generate_series(1, 10100)`);
  await makeOld(['outbox', 'done_at'], ['payment_events', 'received_at'], ['emails', 'sent_at']);
  await makeOld(['contact_messages', 'created_at'], ['newsletter_subscriptions', 'confirmation_sent_at']);
  await db('orders').whereNot({ id: recent.orderId }).update({ created_at: twoYearsAgo() });

  const report = JSON.parse((await runOps(shop, ['retention', '--report', '--json'])).out);
  expect(report.map(({ name }: { name: string }) => name)).toEqual(retentionRules);
  expect(report.filter(({ due }: { due: number }) => due === 0)).toEqual([]);
  const { out } = await runOps(shop, ['retention', '--report']);
  expect(out).toMatch(/^jobs +30 d +10,000\+ /m);
  expect(out).toMatch(/^messages +365 d +1 /m);

  await applyRetention();
  expect(await db('outbox').where({ status: 'done' }).where('done_at', '<', twoYearsAgo())).toEqual([]);
  const events = await db('payment_events').select('payload', 'emptied_at');
  expect(events.length).toBeGreaterThanOrEqual(2);
  for (const { payload, emptied_at } of events) expect([payload, emptied_at]).toEqual([{}, expect.any(Date)]);
  expect(await db('emails').whereNotNull('recipient')).toEqual([]);
  expect(await db('contact_messages')).toEqual([]);
  expect(await db('newsletter_subscriptions')).toEqual([]);
  expect(await orderOf(paid.orderId)).toMatchObject({ customer_email: 'ada@example.com', erased_at: null });
  expect(await orderOf(recent.orderId)).toMatchObject({ customer_email: 'ada@example.com', erased_at: null });
  expect(await orderOf(abandoned.orderId)).toMatchObject({ customer_name: '', customer_email: '' });
  expect(await db('order_history').where({ order_id: paid.orderId })).toHaveLength(2);
});

test('a person’s data is exported, and erased except for paid orders', async () => {
  const visitor = new Visitor(shop);
  await visitor.signIn('person-pending');
  const email = String((await visitor.whoAmI()).user.email);
  const [paid, abandoned] = [
    await placeOrder(shop, { customerEmail: email }),
    await placeOrder(shop, { customerEmail: email.toUpperCase() }),
  ];
  const { db } = shop;
  await db('orders').where({ id: paid.orderId }).update({ status: 'paid', paid_at: db.fn.now() });
  await db('orders').where({ id: abandoned.orderId }).update({ status: 'canceled' });
  await db('contact_messages').insert({ name: 'Ada', email, message: 'Hello' });
  await db('newsletter_subscriptions').insert({ email, status: 'confirmed' });
  await db('emails').insert({ kind: 'order_notice', dedupe_key: randomUUID(), recipient: email });

  const data = JSON.parse((await runOps(shop, ['person', 'export', email])).out);
  const count = (rows: object) => Object.values(rows).map((found) => (found as unknown[]).length);
  expect(count(data)).toEqual([1, 2, 1, 1, 1]);

  expect(await runOps(shop, ['person', 'erase', email])).toMatchObject({ code: 1 });
  const erased = JSON.parse((await runOps(shop, ['person', 'erase', email, '--yes'])).out);
  expect(erased).toMatchObject({ users: 1, orders: 1, emails: 1, contactMessages: 1, newsletter: 1 });
  expect(erased.kept).toEqual([{ id: paid.orderId, status: 'paid' }]);
  expect(count(JSON.parse((await runOps(shop, ['person', 'export', email])).out))).toEqual([0, 1, 0, 0, 0]);
  expect((await visitor.whoAmI()).status).toBe(401);
});

test('an order that took money keeps its buyer, even if staff canceled it', async () => {
  const worker = shop.startWorker();
  const email = `${randomUUID()}@example.com`;
  const { orderId, ...order } = await placeOrder(shop, { customerEmail: email });
  await deliver(shop, succeededEvent({ orderId, ...order }, { amount_received: 100 }));
  await untilStatus(shop, orderId, 'review');
  await runOps(shop, ['order', 'decide', orderId, 'canceled', '--yes']);
  expect((await untilStatus(shop, orderId, 'canceled')).moneyTaken).toBe('held');
  await worker.close();
  await shop.db('orders').where({ id: orderId }).update({ created_at: twoYearsAgo() });

  await applyRetention();
  const erased = JSON.parse((await runOps(shop, ['person', 'erase', email, '--yes'])).out);

  expect(erased.kept).toEqual([{ id: orderId, status: 'canceled' }]);
  expect(await orderOf(orderId)).toMatchObject({ customer_email: email, erased_at: null });
});

/** Runs the job as often as it asks to. */
async function applyRetention(): Promise<void> {
  const [row] = await shop
    .db('outbox')
    .insert({ job: 'apply-retention', queue: 'payments', payload: {}, due_at: new Date() })
    .returning('id');
  for (let again: Awaited<ReturnType<typeof runJob>> = 0; again !== undefined; )
    again = await runJob(shop.workerParts, row.id);
}

async function makeOld(...columns: [table: string, column: string][]): Promise<void> {
  for (const [table, column] of columns) {
    await shop
      .db(table)
      .whereNotNull(column)
      .update({ [column]: twoYearsAgo() });
  }
}

function twoYearsAgo() {
  return shop.db.raw(`now() - interval '2 years'`);
}

async function sent(orderId: string): Promise<number> {
  return (await shop.db('emails').where({ order_id: orderId, status: 'sent' })).length;
}

function orderOf(id: string) {
  return shop.db('orders').where({ id }).first();
}
