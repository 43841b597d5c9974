import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DeskOrder } from '../core/desk-order.ts';
import { listDueEvidence, listHeldPayments, listUnconfirmed } from '../db/attention.ts';
import { createClient } from '../db/database.ts';
import { listRefusedEmails } from '../db/emails.ts';
import { refreshGauges } from '../infra/metrics-gauges.ts';
import { observeShop } from '../orders/observe-shop.ts';
import { mailsAbout, pay, placeOrder, post, readOrder, untilStatus } from '../testing/buyer.ts';
import { atDesk } from '../testing/desk.ts';
import { runOps } from '../testing/operator.ts';
import { approve, buyWithPaypal, placePaypalOrder } from '../testing/paypal.ts';
import { type LoggedPlan, planLogging, readPlans, wholeScans } from '../testing/query-plans.ts';
import { startOwnPostgres, type TestPostgres } from '../testing/services/postgres.ts';
import { type Shop, startShop } from '../testing/shop.ts';
import { deliver, succeededEvent } from '../testing/stripe-events.ts';
import { Visitor } from '../testing/visitor.ts';
import { waitFor } from '../testing/wait-for.ts';

// The plans of every statement that the product sends while it does all it can, as PostgreSQL logs them. Sequential scans
// are switched off, so one that is left has no index to use.

const growing = [
  'orders',
  'order_history',
  'payment_events',
  'outbox',
  'emails',
  'users',
  'sessions',
  'contact_messages',
  'newsletter_subscriptions',
  'desk_actions',
  'failed_transfers',
];

let postgres: TestPostgres;
let shop: Shop;
/** For the test's own statements, which are not logged. */
let observer: ReturnType<typeof createClient>;
let log = '';
let boughtWith: LoggedPlan[] = [];
beforeAll(async () => {
  postgres = await startOwnPostgres(planLogging, (line) => {
    log += `${line}\n`;
  });
  shop = await startShop({ env: { DATABASE_URL: postgres.url } });
  observer = createClient(`${postgres.url}?options=-c%20auto_explain.log_min_duration%3D-1`, 'test');
  await observer.connect();
  // A migration may read what it converts.
  log = '';
});
afterAll(async () => {
  await observer.end();
  await shop.close();
  await postgres.remove();
});

test('no statement of the product reads a whole growing table', async () => {
  shop.startWorker();
  await buyers();
  boughtWith = readPlans(log);
  await visitors();
  await staff();
  await operators();
  await refreshGauges({ ...shop.workerParts, observe: () => observeShop(shop.workerParts) });
  await observer.query(`update schedules set next_at = '2020-01-01'`);
  await waitFor('retention has run', () => isDone('apply-retention'));
  await waitFor('staff would have been reminded', () => isDone('remind-staff'));
  await waitFor('its plan is logged', () => log.includes('delete from contact_messages'));

  const partial = await read('indexname', `pg_indexes where indexdef like '% WHERE %'`);
  const plans = readPlans(log);
  const queries = new Set(plans.map(({ query }) => query));
  expect(queries.size).toBeGreaterThan(60);
  const byName = plans.filter(({ query }) => query.includes('customer_name') && query.includes('@@'));
  expect(byName.length).toBeGreaterThan(0);
  for (const { plan } of byName) expect(JSON.stringify(plan)).toContain('orders_name_weeks');
  expect(offenders(plans, new Set(partial))).toEqual([]);
});

test('no statement that a buyer waits for reads all open rows, which are many in a backlog', () => {
  expect(boughtWith.length).toBeGreaterThan(20);
  expect(offenders(boughtWith, new Set())).toEqual([]);
});

async function buyers(): Promise<void> {
  const key = randomUUID();
  const order = await placeOrder(shop, {}, key);
  await placeOrder(shop, {}, key);
  await pay(shop, order);
  await untilStatus(shop, order.orderId, 'paid');
  const success = succeededEvent(order);
  await Promise.all([deliver(shop, success), deliver(shop, success)]);
  await deliver(shop, success);
  await waitFor('both mails', async () => (await mailsAbout(shop, order.orderId)).length === 2, {
    timeoutMs: 60_000,
  });
  await readOrder(shop, order.orderId);
  await post(shop, '/api/confirm-payment', {
    orderId: order.orderId,
    paymentIntentId: order.paymentIntentId,
  });
  await buyWithPaypal(shop);
  const switched = randomUUID();
  await placeOrder(shop, {}, switched);
  await approve(shop, await placePaypalOrder(shop, switched));
  const due = await placeOrder(shop);
  await shop
    .db('orders')
    .where({ id: due.orderId })
    .update({ next_check_at: new Date(0) });
  await waitFor('it was checked', async () => {
    return shop.db('outbox').where({ job: 'reconcile-order', status: 'done' }).first('id');
  });
}

async function visitors(): Promise<void> {
  const visitor = new Visitor(shop);
  await visitor.signIn('person-completed');
  await visitor.get('/api/account');
  await visitor.whoAmI();
  await post(shop, '/api/contact', {
    name: 'Ada',
    email: 'ada@example.com',
    message: 'How long is an audit?',
  });
  await post(shop, '/api/newsletter/subscribe', { email: 'ada@example.com' });
}

async function staff(): Promise<void> {
  const olive = await atDesk(shop, 'person-operator', { fresh: true });
  const list = (request: object) => olive.act('/api/desk/orders/list', request);
  await list({});
  const { orders } = (await (
    await list({ status: 'paid', service: 'audit', from: '2020-01-01' })
  ).json()) as {
    orders: { id: string }[];
  };
  const after = `2099-01-01T00:00:00.000000Z_${randomUUID()}`;
  await list({ after });
  for (const text of ['$2,999', 'ada@example.com', 'love', 'pi_1'])
    for (const place of [{}, { after }, { from: '2020-01-01', to: '2099-01-01', status: 'paid' }])
      expect((await list({ text, ...place })).status).toBe(200);
  const asked = () => ({ reason: 'A discount', key: randomUUID() });
  const download = async (path: string, body: object) => {
    const answer = await olive.act(path, { ...body, ...asked() });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('\r\n')]);
  };
  await download('/api/desk/orders/export', { filters: { method: 'paypal' } });
  for (const open of [true, false]) await olive.act('/api/desk/messages/list', { open });
  await olive.act('/api/desk/enrollments/list', {});
  for (const after of [{}, { after: '1000' }]) await olive.act('/api/desk/record/list', after);
  await download('/api/desk/newsletter/export', {});
  for (const path of ['today', 'weeks', 'newsletter', `orders/${orders[0]?.id}`])
    await olive.read(`/api/desk/${path}`);
  const { payments } = await olive.read<DeskOrder>(`/api/desk/orders/${orders[0]?.id}`);
  const [{ id: paymentId, refundable: left } = { id: '', refundable: 0 }] = payments;
  const refund = { action: 'refund', paymentId, left, amount: 100, reason: 'A discount', key: randomUUID() };
  const orderId = orders[0]?.id ?? '';
  const [eventId = ''] = await read('id', `payment_events where order_id = '${orderId}'`);
  const [emailId = ''] = await read('id', `emails where status = 'sent' and order_id = '${orderId}'`);
  for (const wanted of [refund, { action: 'replay', eventId }, { action: 'resend', emailId }])
    expect((await olive.actOn(orderId, { ...wanted, ...asked() })).status).toBe(200);
  await olive.read(`/api/desk/orders/${orderId}/emails/${emailId}`);
  await observer.query(
    `insert into outbox (job, queue, payload, status, due_at)
     values ('apply-payment-event', 'payments', jsonb_build_object('eventId', $1::text), 'dead', now())`,
    [eventId],
  );
  const [jobId] = await read('id', `outbox where status = 'dead'`);
  await olive.read('/api/desk/today');
  // What Today lists of concerns that do not arise here.
  for (const list of [listDueEvidence, listHeldPayments, listUnconfirmed, listRefusedEmails])
    await list(shop.api.db, 20);
  expect((await olive.act(`/api/desk/jobs/${jobId}/actions`, { action: 'discard', ...asked() })).status).toBe(
    200,
  );
  const [messageId] = await read('id', 'contact_messages');
  expect((await olive.act(`/api/desk/messages/${messageId}/answered`, asked())).status).toBe(200);
  for (const what of ['export', 'erase']) {
    const person = { email: 'unknown@example.com', ...asked() };
    expect((await olive.act(`/api/desk/person/${what}`, person)).status).toBe(200);
  }
}

async function operators(): Promise<void> {
  const [orderId = ''] = await read('order_id', 'payment_events where order_id is not null');
  const [eventId = ''] = await read('event_id', 'payment_events');
  const [emailId = ''] = await read('id', `emails where status = 'sent'`);
  for (const command of [
    ['order', 'show', orderId],
    ['order', 'find', orderId],
    ['order', 'find', 'Ada@example.com'],
    ['order', 'find', 'love', 'ada'],
    ['order', 'find', '--status', 'review'],
    ['order', 'find', '--status', 'held'],
    ['order', 'reconcile', orderId, '--yes'],
    ['events', 'list'],
    ['events', 'list', '--status', 'dead'],
    ['events', 'list', '--order', orderId],
    ['events', 'show', eventId],
    ['events', 'replay', eventId, '--yes'],
    ['reconcile', '--report', '--since', '1h'],
    ['jobs', 'failed'],
    ['jobs', 'retry', '--all', '--yes'],
    ['emails', 'failed'],
    ['emails', 'resend', emailId, '--yes'],
    ['transfers', 'failed'],
    ['transfers', 'dismiss', '1', '--reason', 'paid by bank transfer', '--yes'],
    ['outbox', 'status'],
    ['doctor'],
    ['messages', 'answered', '--before', '1d', '--yes'],
    ['newsletter', 'export'],
    ['restore', 'check', '--since', '1h'],
    ['retention', '--report'],
    ['person', 'export', 'ada@example.com'],
    ['person', 'erase', 'unknown@example.com', '--yes'],
    ['sessions', 'revoke', '--user', randomUUID(), '--yes'],
  ]) {
    await runOps(shop, command);
  }
}

async function read(column: string, from: string): Promise<string[]> {
  return (await observer.query(`select ${column} as value from ${from}`)).rows.map(({ value }) => value);
}

async function isDone(job: string): Promise<boolean> {
  return (await read('id', `outbox where status = 'done' and job = '${job}'`)).length > 0;
}

/** Each statement once, with the tables that it reads as a whole. */
function offenders(plans: LoggedPlan[], partialIndexes: Set<string>): string[] {
  const found = plans.flatMap(({ query, plan }) =>
    wholeScans(plan, partialIndexes)
      .filter((node) => growing.includes(node['Relation Name'] ?? ''))
      .map(
        (node) => `${node['Node Type']} ${node['Index Name'] ?? ''} on ${node['Relation Name']}: ${query}`,
      ),
  );
  return [...new Set(found)];
}
