import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningSandbox, startSandbox, stripeClientFor } from '../testing/sandbox.ts';

let sandbox: RunningSandbox;
let stripe: Stripe;

beforeAll(async () => {
  sandbox = await startSandbox();
  stripe = sandbox.stripeClient;
});
afterAll(() => sandbox.close());

describe('a payment intent', () => {
  test('is created with the amount, currency and metadata that were sent', async () => {
    const intent = await newIntent();
    expect(intent).toMatchObject({
      object: 'payment_intent',
      amount: 299900,
      currency: 'usd',
      status: 'requires_payment_method',
      metadata: { orderId: 'o-1' },
      automatic_payment_methods: { enabled: true },
    });
    expect(intent.client_secret).toMatch(new RegExp(`^${intent.id}_secret_`));
    expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ id: intent.id, amount: 299900 });
  });

  test('succeeds with a valid card and carries its expanded charge', async () => {
    const intent = await newIntent();
    const paid = await stripe.paymentIntents.confirm(intent.id, {
      payment_method: 'pm_card_visa',
      expand: ['latest_charge', 'latest_charge.payment_method'],
    });
    expect(paid).toMatchObject({ status: 'succeeded', amount_received: 299900 });
    expect(paid.latest_charge).toMatchObject({
      paid: true,
      amount: 299900,
      payment_intent: intent.id,
      metadata: { orderId: 'o-1' },
      payment_method: { object: 'payment_method', type: 'card' },
    });
  });

  test.each([
    ['pm_card_chargeDeclined', 'card_declined', 'generic_decline', 'Your card was declined.'],
    [
      'pm_card_visa_chargeDeclinedInsufficientFunds',
      'card_declined',
      'insufficient_funds',
      'Your card has insufficient funds.',
    ],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card', 'expired_card', 'Your card has expired.'],
  ])('declined with %s says so and takes another card', async (method, code, declineCode, message) => {
    const intent = await newIntent();
    const error = await failure(stripe.paymentIntents.confirm(intent.id, { payment_method: method }));
    expect(error).toBeInstanceOf(Stripe.errors.StripeCardError);
    expect(error).toMatchObject({ statusCode: 402, code, decline_code: declineCode, message });
    expect(error.payment_intent).toMatchObject({ id: intent.id, status: 'requires_payment_method' });

    const failed = await stripe.paymentIntents.retrieve(intent.id);
    expect(failed.last_payment_error).toMatchObject({ type: 'card_error', code, decline_code: declineCode });
    const paid = await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' });
    expect(paid).toMatchObject({ status: 'succeeded', last_payment_error: null });
  });

  test('waits for the bank with a 3-D Secure card and returns with the outcome', async () => {
    const intent = await newIntent();
    const returnUrl = 'http://localhost:3000/success?orderId=o-1';
    const waiting = await stripe.paymentIntents.confirm(intent.id, {
      payment_method: 'pm_card_authenticationRequired',
      return_url: returnUrl,
    });
    expect(waiting).toMatchObject({ status: 'requires_action', next_action: { type: 'redirect_to_url' } });
    const page = waiting.next_action?.redirect_to_url?.url ?? '';
    expect(await (await fetch(page)).text()).toContain('Complete');

    const answer = await fetch(page, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({
        client_secret: intent.client_secret ?? '',
        return_url: returnUrl,
        outcome: 'complete',
      }),
    });
    expect(answer.status).toBe(303);
    const back = new URL(answer.headers.get('location') ?? '');
    expect(Object.fromEntries(back.searchParams)).toEqual({
      orderId: 'o-1',
      payment_intent: intent.id,
      payment_intent_client_secret: intent.client_secret,
      redirect_status: 'succeeded',
    });
    expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('succeeded');
  });

  test('can be retried after failed 3-D Secure', async () => {
    const intent = await newIntent();
    const waiting = await stripe.paymentIntents.confirm(intent.id, {
      payment_method: 'pm_card_threeDSecure2Required',
      return_url: 'http://localhost:3000/success',
    });
    const body = new URLSearchParams({ client_secret: intent.client_secret ?? '', outcome: 'fail' });
    await fetch(waiting.next_action?.redirect_to_url?.url ?? '', { method: 'POST', body });
    expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'payment_intent_authentication_failure' },
    });
  });

  test.each(['succeeded', 'failed'] as const)('of a slow method is processing, then %s', async (outcome) => {
    const intent = await newIntent();
    const slow = await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_usBankAccount' });
    expect(slow.status).toBe('processing');
    await fetch(`${sandbox.url}/stripe/sandbox/payment_intents/${intent.id}/settle`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ outcome }),
    });
    const settled = await stripe.paymentIntents.retrieve(intent.id);
    expect(settled.status).toBe(outcome === 'succeeded' ? 'succeeded' : 'requires_payment_method');
  });

  test('is canceled once and cannot be paid or canceled afterwards', async () => {
    const intent = await newIntent();
    const canceled = await stripe.paymentIntents.cancel(intent.id, { cancellation_reason: 'abandoned' });
    expect(canceled).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned' });
    for (const call of [
      stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' }),
      stripe.paymentIntents.cancel(intent.id),
    ]) {
      expect(await failure(call)).toMatchObject({ statusCode: 400, code: 'payment_intent_unexpected_state' });
    }
  });

  test('is found by its metadata and in lists that page', async () => {
    const metadata = { orderId: crypto.randomUUID() };
    const created = [];
    for (let i = 0; i < 3; i += 1) {
      created.push((await stripe.paymentIntents.create({ amount: 500, currency: 'usd', metadata })).id);
    }
    const found = await stripe.paymentIntents.search({ query: `metadata['orderId']:'${metadata.orderId}'` });
    expect(found.data.map(({ id }) => id)).toEqual(created.toReversed());
    const first = await stripe.paymentIntents.list({ limit: 2 });
    expect(first).toMatchObject({ has_more: true });
    const second = await stripe.paymentIntents.list({ limit: 2, starting_after: first.data[1]?.id });
    expect(second.data[0]?.id).toBe(created[0]);
  });
});

describe('a publishable key', () => {
  test('confirms only the intent with its client secret', async () => {
    const intent = await newIntent();
    const confirm = (clientSecret: string) =>
      fetch(`${sandbox.url}/stripe/v1/payment_intents/${intent.id}/confirm`, {
        method: 'POST',
        body: new URLSearchParams({
          key: 'pk_test_sandbox',
          client_secret: clientSecret,
          payment_method: 'pm_card_visa',
        }),
      });
    expect((await confirm(`${intent.id}_secret_guessed`)).status).toBe(404);
    expect(await (await confirm(intent.client_secret ?? '')).json()).toMatchObject({ status: 'succeeded' });
  });

  test('is refused where a secret key is required', async () => {
    const error = await failure(stripeClientFor(sandbox.port, 'pk_test_sandbox').refunds.list());
    expect(error).toMatchObject({ statusCode: 401, code: 'secret_key_required' });
  });
});

describe('a bad call', () => {
  test('with an unknown key is 401', async () => {
    const error = await failure(stripeClientFor(sandbox.port, 'sk_test_other').paymentIntents.list());
    expect(error).toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
    expect(error.message).toContain('Invalid API Key provided: sk_test_');
  });

  test('for an unknown object is 404 resource_missing with a request id', async () => {
    const error = await failure(stripe.paymentIntents.retrieve('pi_unknown'));
    expect(error).toMatchObject({ statusCode: 404, code: 'resource_missing', param: 'intent' });
    expect(error.requestId).toMatch(/^req_/);
  });

  test.each([
    [{ currency: 'usd' }, 'parameter_missing', 'amount'],
    [{ amount: 10, currency: 'usd' }, 'amount_too_small', 'amount'],
    [{ amount: 12.5, currency: 'usd' }, 'parameter_invalid_integer', 'amount'],
    [{ amount: 1000, currency: 'usd', receipt_email: 'nobody' }, 'email_invalid', 'receipt_email'],
    [{ amount: 1000, currency: 'usd', recipe: 'x' }, 'parameter_unknown', 'recipe'],
  ])('with %j is 400 %s', async (params, code, param) => {
    const error = await failure(stripe.paymentIntents.create(params as Stripe.PaymentIntentCreateParams));
    expect(error).toBeInstanceOf(Stripe.errors.StripeInvalidRequestError);
    expect(error).toMatchObject({ statusCode: 400, code, param });
  });

  test('in JSON instead of a form is refused', async () => {
    const answer = await fetch(`${sandbox.url}/stripe/v1/payment_intents`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer sk_test_sandbox' },
      body: JSON.stringify({ amount: 1000, currency: 'usd' }),
    });
    expect(answer.status).toBe(400);
  });
});

function newIntent(): Promise<Stripe.PaymentIntent> {
  return stripe.paymentIntents.create({
    amount: 299900,
    currency: 'usd',
    automatic_payment_methods: { enabled: true },
    metadata: { orderId: 'o-1' },
    receipt_email: 'ada@example.com',
  });
}

/** The Stripe error that a call ends with. */
async function failure(call: Promise<unknown>): Promise<InstanceType<typeof Stripe.errors.StripeError>> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Stripe.errors.StripeError)) throw new Error('the call did not fail as Stripe fails');
  return error;
}
