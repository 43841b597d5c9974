import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningSandbox, startSandbox } from '../testing/sandbox.ts';

let sandbox: RunningSandbox;
let stripe: Stripe;

beforeAll(async () => {
  sandbox = await startSandbox();
  stripe = sandbox.stripeClient;
});
afterAll(() => sandbox.close());

test('adds up partial refunds until nothing is left', async () => {
  const charge = await paidCharge();
  await stripe.refunds.create({ charge: charge.id, amount: 300 });
  const second = await stripe.refunds.create({
    payment_intent: String(charge.payment_intent),
    amount: 200,
    reason: 'duplicate',
  });
  expect(second).toMatchObject({ status: 'succeeded', charge: charge.id, reason: 'duplicate' });
  expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ amount_refunded: 500, refunded: false });

  const tooMuch = stripe.refunds.create({ charge: charge.id, amount: 501 });
  await expect(tooMuch).rejects.toMatchObject({ statusCode: 400 });
  await stripe.refunds.create({ charge: charge.id });
  expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ amount_refunded: 1000, refunded: true });
  const onceMore = stripe.refunds.create({ charge: charge.id });
  await expect(onceMore).rejects.toMatchObject({ code: 'charge_already_refunded' });
  expect((await stripe.refunds.list({ charge: charge.id })).data.map((refund) => refund.amount)).toEqual([
    500, 200, 300,
  ]);
});

test('does not count a failed refund', async () => {
  const charge = await paidCharge();
  const refund = await stripe.refunds.create({ charge: charge.id });
  await control(`/refunds/${refund.id}/fail`, {});
  expect((await stripe.refunds.retrieve(refund.id)).status).toBe('failed');
  expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ amount_refunded: 0, refunded: false });
});

test('refuses to refund an unpaid intent', async () => {
  const intent = await stripe.paymentIntents.create({ amount: 1000, currency: 'usd' });
  await expect(stripe.refunds.create({ payment_intent: intent.id })).rejects.toMatchObject({
    statusCode: 400,
  });
});

test.each(['won', 'lost'] as const)('opens a dispute that is %s', async (outcome) => {
  const charge = await paidCharge();
  const dispute = await control(`/charges/${charge.id}/dispute`, { reason: 'product_not_received' });
  expect(await stripe.disputes.retrieve(dispute.id)).toMatchObject({
    status: 'needs_response',
    amount: 1000,
    charge: charge.id,
    reason: 'product_not_received',
  });
  expect((await stripe.charges.retrieve(charge.id)).disputed).toBe(true);
  await expect(stripe.refunds.create({ charge: charge.id })).rejects.toMatchObject({
    code: 'charge_disputed',
  });
  await control(`/disputes/${dispute.id}/close`, { outcome });
  expect((await stripe.disputes.list({ charge: charge.id })).data[0]?.status).toBe(outcome);
});

test('a dispute of all of a payment that was refunded in part may be lost in part', async () => {
  const charge = await paidCharge();
  await stripe.refunds.create({ charge: charge.id, amount: 300 });
  const { id } = await control(`/charges/${charge.id}/dispute`, { ofAll: true });
  const moved = async () =>
    (await stripe.disputes.retrieve(id)).balance_transactions.map(({ amount }) => amount);
  expect(await moved()).toEqual([-1000]);

  await control(`/disputes/${id}/close`, { outcome: 'lost', returned: 300 });

  expect(await stripe.disputes.retrieve(id)).toMatchObject({ amount: 1000, status: 'lost' });
  expect(await moved()).toEqual([-1000, 300]);
});

test('the bank returns a debit that had succeeded, for good and without asking for evidence', async () => {
  const intent = await stripe.paymentIntents.create({
    amount: 1000,
    currency: 'usd',
    automatic_payment_methods: { enabled: true },
  });
  const { latest_charge: charge } = await stripe.paymentIntents.confirm(intent.id, {
    payment_method: 'pm_usBankAccount',
    return_url: 'https://shop.example/',
  });
  await control(`/payment_intents/${intent.id}/settle`, { outcome: 'succeeded' });
  await stripe.refunds.create({ charge: String(charge), amount: 300 });

  const { id } = await control(`/charges/${String(charge)}/return`, { reason: 'insufficient_funds' });

  expect(await stripe.disputes.retrieve(id)).toMatchObject({
    status: 'lost',
    reason: 'insufficient_funds',
    amount: 1000,
    evidence_details: { due_by: 0 },
    balance_transactions: [{ amount: -1000 }],
  });
  expect((await stripe.disputes.retrieve(id)).payment_method_details).toBeUndefined();
  const card = await paidCharge();
  await expect(control(`/charges/${card.id}/return`, {})).rejects.toThrow();
});

async function paidCharge(method = 'pm_card_visa'): Promise<Stripe.Charge> {
  const intent = await stripe.paymentIntents.create({ amount: 1000, currency: 'usd' });
  const expand = ['latest_charge'];
  const paid = await stripe.paymentIntents.confirm(intent.id, { payment_method: method, expand });
  return paid.latest_charge as Stripe.Charge;
}

async function control(path: string, request: object): Promise<{ id: string }> {
  const answer = await fetch(`${sandbox.url}/stripe/sandbox${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  expect(answer.status).toBe(200);
  return answer.json();
}
