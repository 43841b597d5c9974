import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { EmailRequest } from '../core/emails.ts';
import { claimEmail, queueEmails, resendEmail } from '../db/emails.ts';
import { createRateLimits } from '../infra/rate-limits.ts';
import { mailsAbout, type PlacedOrder, pay, placeOrder } from '../testing/buyer.ts';
import { type HeldCall, holdCall } from '../testing/held-call.ts';
import { startShop, withShop } from '../testing/shop.ts';
import { waitFor } from '../testing/wait-for.ts';
import { MAX_AGE_MS } from './send-email.ts';
import { startWorker } from './worker.ts';

const shop = await withShop({ worker: true });

test.each([
  ['e-mails', `select id from emails where status = 'sending' for update`],
  ['jobs', `select id from outbox where job = 'send-email' and status = 'open' for update`],
])(
  'sends an e-mail once although recording it fails at first: locked %s',
  async (_what, lockRows) => {
    const { order, mails } = await paidOrderWithHeldMail();
    const lock = await shop.db.transaction();
    const { rows } = await lock.raw(lockRows);
    expect(rows).toHaveLength(2);
    mails.release();
    await waitFor('the record waits', async () => (await waitingStatements()) > 0);
    await waitFor('the record failed', async () => (await waitingStatements()) === 0);
    expect(await statusesOf(order), 'all or nothing').toEqual(['sending', 'sending']);
    await lock.rollback();

    await expectOneMailEach(order);
  },
  60_000,
);

test.each(['drop', 'timeout'] as const)(
  'sends an e-mail although the mail server cuts the connection at first (%s)',
  async (mode) => {
    shop.sandbox.faults.add({ target: 'smtp', mode, ms: 200, count: 2 });
    const order = await placeOrder(shop);
    await pay(shop, order);
    await waitFor('the connection was cut', () => shop.sandbox.faults.list().length === 0);
    await expectOneMailEach(order);
  },
  60_000,
);

test('claims eight e-mails at once for each connection to the mail server', async () => {
  const { maxConnections } = shop.config.mail;
  const mails = holdCall(shop, 'smtp', { count: maxConnections });
  const orders = await Promise.all(Array.from({ length: 5 * maxConnections }, () => placeOrder(shop)));
  await Promise.all(orders.map((order) => pay(shop, order)));
  await mails.received();
  const statuses = async () => (await Promise.all(orders.map(statusesOf))).flat();
  const inWork = async () => (await statuses()).filter((status) => status === 'sending').length;
  await waitFor('the next e-mails are claimed', async () => (await inWork()) === 8 * maxConnections);
  mails.release();
  await waitFor('all are sent', async () => (await statuses()).every((status) => status === 'sent'));
}, 60_000);

test('drops an e-mail that was relevant when it was claimed and no longer is when a connection is free', async () => {
  const { maxConnections } = shop.config.mail;
  const mails = holdCall(shop, 'smtp', { count: maxConnections });
  const paid = await Promise.all(Array.from({ length: maxConnections }, () => placeOrder(shop)));
  await Promise.all(paid.map((order) => pay(shop, order)));
  await mails.received();

  const order = await placeOrder(shop);
  const setStatus = (status: string) => shop.db('orders').where({ id: order.orderId }).update({ status });
  await setStatus('failed');
  const email = { kind: 'payment_failed', dedupeKey: order.orderId, params: {}, orderId: order.orderId };
  await shop.outbox.transaction(null, (trx) => queueEmails(trx, [email as EmailRequest]));
  await waitFor('it is claimed', async () => (await statusesOf(order)).includes('sending'));
  await setStatus('paid');
  await sleep(MAX_AGE_MS);
  mails.release();
  await waitFor('it is dropped', async () => (await statusesOf(order)).includes('dropped'));
}, 60_000);

test('lets only one of three concurrent runs claim an e-mail', async () => {
  const row = { kind: 'order_notice', dedupe_key: crypto.randomUUID(), params: '{}' };
  const [{ id }] = await shop.db('emails').insert(row).returning('id');
  const claims = await Promise.all([1, 2, 3].map(() => claimEmail(shop.db, id, 'querywright.test')));
  expect(claims.filter(Boolean)).toHaveLength(1);
});

test('limits the e-mails about unpaid orders per mailbox, across its spellings, but no others and none that staff resend', async () => {
  const busy = await startShop();
  const mailLimits = createRateLimits({
    ...{ db: busy.db, redis: undefined, queuePrefix: 'test' },
    overrides: { 'unpaid-order-mail': { points: 2, duration: 600 } },
  });
  const worker = startWorker({ ...busy.workerParts, mailLimits });
  try {
    const statusOfMail = async (kind: 'payment_failed' | 'order_confirmation', customerEmail: string) => {
      const { orderId } = await placeOrder(busy, { customerEmail });
      await busy.db('orders').where({ id: orderId }).update({ status: 'failed' });
      const email = { kind, dedupeKey: orderId, params: {}, orderId };
      await busy.outbox.transaction(orderId, (trx) => queueEmails(trx, [email]));
      const ended = () =>
        busy
          .db('emails')
          .where({ order_id: orderId, kind })
          .whereNot('status', 'queued')
          .whereNot('status', 'sending')
          .first('status');
      return (await waitFor('the e-mail is sent or dropped', ended)).status;
    };
    busy.sandbox.faults.add({ target: 'smtp', mode: 'drop', count: 1 });
    expect(await statusOfMail('payment_failed', 'victim@gmail.com')).toBe('sent');
    expect(await statusOfMail('payment_failed', 'VIC.tim@googlemail.com')).toBe('sent');
    expect(await statusOfMail('payment_failed', 'victim+3@gmail.com')).toBe('dropped');
    expect(await statusOfMail('order_confirmation', 'victim@gmail.com')).toBe('sent');
    expect(await statusOfMail('payment_failed', 'ada@example.com')).toBe('sent');

    const { id } = await busy.db('emails').where({ status: 'dropped' }).first('id');
    busy.sandbox.faults.add({ target: 'smtp', mode: 'drop', count: 1 });
    await busy.outbox.transaction('resend', (trx) => resendEmail(trx, id));
    const ended = () =>
      busy.db('emails').where({ id }).whereIn('status', ['sent', 'dropped']).first('status');
    expect(await waitFor('it is sent or dropped', ended)).toEqual({ status: 'sent' });
  } finally {
    await worker.close();
    await busy.close();
  }
}, 60_000);

/** A paid order whose e-mails the mail server has received and not accepted yet. */
async function paidOrderWithHeldMail(): Promise<{ order: PlacedOrder; mails: HeldCall }> {
  const mails = holdCall(shop, 'smtp', { count: 2 });
  const order = await placeOrder(shop);
  await pay(shop, order);
  await mails.received();
  expect(await statusesOf(order)).toEqual(['sending', 'sending']);
  return { order, mails };
}

async function expectOneMailEach(order: PlacedOrder): Promise<void> {
  await waitFor(
    'every job is done',
    async () => (await shop.db('outbox').where({ status: 'open', job: 'send-email' })).length === 0,
    { timeoutMs: 40_000 },
  );
  expect(await statusesOf(order)).toEqual(['sent', 'sent']);
  expect(await mailsAbout(shop, order.orderId)).toHaveLength(2);
}

function statusesOf({ orderId }: PlacedOrder): Promise<string[]> {
  return shop.db('emails').where({ order_id: orderId }).pluck('status');
}

async function waitingStatements(): Promise<number> {
  const { rows } = await shop.db.raw(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows.length;
}
