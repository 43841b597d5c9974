import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type EmailKind, type EmailRequest, emailKinds } from '../core/emails.ts';
import { receiveContactMessage } from '../db/contact.ts';
import { createDatabase, type Database } from '../db/database.ts';
import { claimEmail, queueEmails } from '../db/emails.ts';
import { requestSubscription } from '../db/newsletter.ts';
import { transact } from '../db/unit-of-work.ts';
import { type Config, readConfig } from '../infra/config.ts';
import { createTokens } from '../infra/tokens.ts';
import { createTestDatabase } from '../testing/databases.ts';
import { composeEmail, type Mail } from './compose-email.ts';

const STAFF = 'staff@querywright.example';
const BUYER = 'ada@example.com';

let db: Database;
let config: Config;
let orderId: string;
beforeAll(async () => {
  const databaseUrl = await createTestDatabase(inject('postgresUrl'));
  db = createDatabase(databaseUrl, { poolMax: 2 });
  config = readConfig({ NODE_ENV: 'test', DATABASE_URL: databaseUrl, PUBLIC_URL: 'https://shop.example' });
  const service = await db('services').where({ slug: 'audit' }).first();
  [{ id: orderId }] = await db('orders')
    .insert({
      service_id: service.id,
      customer_name: 'Ada Byron',
      customer_email: BUYER,
      payment_method: 'stripe',
      payment_intent_id: 'pi_1',
      amount: service.price,
    })
    .returning('id');
});
afterAll(() => db.destroy());

const orderMails: Partial<Record<EmailKind, object>> = {
  order_confirmation: {},
  order_notice: {},
  payment_end_failed_alert: { paymentId: 'pi_1', provider: 'stripe' },
  payment_held_alert: { paymentId: 'pi_1', provider: 'paypal', reason: 'UNILATERAL' },
  duplicate_payment_alert: { paymentId: 'pi_1' },
  review_alert: { paymentId: 'pi_1' },
  fraud_warning_alert: { paymentId: 'pi_1', provider: 'stripe', warning: 'review' },
  refund_notice: { refundedTotal: 1000, refundedBefore: 400 },
  refund_failed: { amount: 1000 },
  refund_failed_alert: { paymentId: 'pi_1', provider: 'stripe', refundId: null, amount: 1000 },
  dispute_notice: { disputeId: 'du_1', state: 'opened' },
  dispute_closed: { state: 'won', amount: 1000 },
};

test.each(Object.entries(orderMails))('composes %s for its recipient', async (kind, params) => {
  const mail = await compose({ kind, dedupeKey: 'composed', params, orderId } as EmailRequest);
  const isForStaff = emailKinds[kind as EmailKind].to === 'staff';
  expect([mail?.to, mail?.replyTo]).toEqual(isForStaff ? [STAFF, BUYER] : [BUYER, undefined]);
  expect(mail?.text).toContain(orderId);
});

test.each([
  ['payout_failed_alert', { provider: 'paypal', payoutId: 'po_1', amount: 5, currency: 'USD' }],
  ['job_dead_alert', { jobId: '7', job: 'reconcile-order', error: 'Error: no' }],
])('composes %s without an order', async (kind, params) => {
  const mail = await compose({ kind, dedupeKey: 'composed', params } as EmailRequest);
  expect(mail?.to).toBe(STAFF);
});

test.each([
  ['payment_processing', 'processing'],
  ['payment_failed', 'failed'],
  ['order_canceled', 'canceled'],
] as const)('sends %s only while the order is %s', async (kind, status) => {
  expect(await compose({ kind, dedupeKey: 'while pending', params: {}, orderId })).toBeUndefined();
  await db('orders').where({ id: orderId }).update({ status });
  const mail = await compose({ kind, dedupeKey: 'in its status', params: {}, orderId });
  await db('orders').where({ id: orderId }).update({ status: 'pending' });
  expect(mail?.to).toBe(BUYER);
});

test('leads from a failed payment to its order, and from a canceled order to a new one', async () => {
  const linked = async (kind: 'payment_failed' | 'order_canceled', status: string) => {
    await db('orders').where({ id: orderId }).update({ status });
    const mail = await compose({ kind, dedupeKey: 'linked', params: {}, orderId });
    await db('orders').where({ id: orderId }).update({ status: 'pending' });
    return mail?.text;
  };
  const { service_id: serviceId } = await db('orders').where({ id: orderId }).first('service_id');
  expect(await linked('payment_failed', 'failed')).toContain(
    `Try again:\nhttps://shop.example/pricing?order=${orderId}#payment`,
  );
  expect(await linked('order_canceled', 'canceled')).toContain(
    `Order again:\nhttps://shop.example/pricing?service=${serviceId}#payment`,
  );
});

test('reminds of evidence only while a dispute is open and awaits it', async () => {
  const params = { disputeId: 'du_1', evidenceDueAt: '2026-12-03T23:59:59Z' };
  const reminder = { kind: 'dispute_reminder', params, orderId } as const;
  const factsOf = (state: object) =>
    JSON.stringify({ captures: {}, disputes: { du_1: { amount: 1234, ...state } } });
  const evidenceDueAt = Date.parse(params.evidenceDueAt);
  for (const state of [{ outcome: 'won', evidenceDueAt }, { outcome: 'open' }]) {
    await db('orders')
      .where({ id: orderId })
      .update({ payment_facts: factsOf(state) });
    expect(await compose({ ...reminder, dedupeKey: state.outcome })).toBeUndefined();
  }
  await db('orders')
    .where({ id: orderId })
    .update({ payment_facts: factsOf({ outcome: 'open', evidenceDueAt }) });
  expect((await compose({ ...reminder, dedupeKey: 'awaited' }))?.text).toContain(
    'dispute of $12.34 by Ada Byron',
  );
  await db('orders')
    .where({ id: orderId })
    .update({ payment_facts: db.raw('default') });
});

test('sends no reminder about a resolved concern', async () => {
  const concern = { topic: 'jobs_dead', count: 1, since: 0 } as const;
  const reminder = { kind: 'staff_reminder', dedupeKey: 'over', params: { concern } } as const;
  expect(await compose(reminder)).toBeUndefined();
});

test('leads staff through the sign-in to the order at the desk, if there is a desk', async () => {
  const desk = (page: string) => `https://shop.example/api/login?returnTo=${encodeURIComponent(page)}`;
  const notice = { kind: 'order_notice', params: {}, orderId } as const;
  const mail = await compose({ ...notice, dedupeKey: 'desk' });
  expect(mail?.text).toContain(`at the desk <${desk(`/desk/orders/${orderId}`)}>`);
  const unstaffed = { ...config, staff: { viewers: [], operators: [] } };
  expect((await compose({ ...notice, dedupeKey: 'no desk' }, unstaffed))?.text).not.toContain('/desk');
  const receipt = { kind: 'order_confirmation', dedupeKey: 'no desk', params: {}, orderId } as const;
  expect((await compose(receipt))?.text).not.toContain('/desk');
});

test('links to the provider’s dashboard and names the ops command as they are in production', async () => {
  const dispute = {
    kind: 'dispute_notice',
    params: { disputeId: 'du_1', state: 'opened' },
    orderId,
  } as const;
  const unstaffed = { ...config, staff: { viewers: [], operators: [] } };
  const sandbox = await compose({ ...dispute, dedupeKey: 'sandbox' }, unstaffed);
  expect(sandbox?.text).not.toContain('dashboard.stripe.com');
  expect(sandbox?.text).toContain(`npm run ops -- order show ${orderId}`);

  const stripe = { ...config.stripe, secretKey: 'sk_live_x', api: undefined };
  const live = await compose({ ...dispute, dedupeKey: 'live' }, { ...unstaffed, production: true, stripe });
  expect(live?.text).toContain('Open it in Stripe:\nhttps://dashboard.stripe.com/disputes/du_1\n');
  expect(live?.text).toContain(`node dist/ops/main.js order show ${orderId}`);
});

test('leads staff from a new order to its payment in the provider’s dashboard', async () => {
  const stripe = { ...config.stripe, secretKey: 'sk_live_x', api: undefined };
  const notice = { kind: 'order_notice', params: {}, orderId, dedupeKey: 'dashboard' } as const;
  const mail = await compose(notice, { ...config, production: true, stripe });
  expect(mail?.text).toContain('Open it in Stripe:\nhttps://dashboard.stripe.com/payments/pi_1\n');
});

test('writes to visitors, and lets staff reply to them', async () => {
  await transact(db, null, (trx) =>
    receiveContactMessage(trx, { name: 'Eve', email: 'eve@example.com', message: 'Hello' }),
  );
  await transact(db, null, (trx) => requestSubscription(trx, 'reader@example.com'));
  const notice = await composeQueued('contact_notice');
  expect(notice).toMatchObject({ to: STAFF, replyTo: 'eve@example.com' });
  expect(notice?.text).toContain('https://shop.example/api/login?returnTo=%2Fdesk%2Fpeople\n');
  expect((await composeQueued('contact_acknowledgement'))?.to).toBe('eve@example.com');
  expect((await composeQueued('newsletter_confirmation'))?.to).toBe('reader@example.com');
});

test('refuses params that do not fit the kind', async () => {
  await db('emails').insert({ kind: 'refund_notice', dedupe_key: 'bad', params: {}, order_id: orderId });
  await expect(composeQueued('refund_notice', 'bad')).rejects.toThrow('refundedTotal');
});

async function compose(request: EmailRequest, settings = config): Promise<Mail | undefined> {
  await transact(db, null, (trx) => queueEmails(trx, [request]));
  return composeQueued(request.kind, request.dedupeKey, settings);
}

async function composeQueued(
  kind: EmailKind,
  dedupeKey?: string,
  settings = config,
): Promise<Mail | undefined> {
  const { id } = await db('emails')
    .where({ kind, ...(dedupeKey ? { dedupe_key: dedupeKey } : {}) })
    .first('id');
  const email = await claimEmail(db, id, 'shop.example');
  if (!email) throw new Error(`No queued e-mail ${kind}`);
  return composeEmail({ config: settings, db, tokens: createTokens(['secret']) }, email);
}
