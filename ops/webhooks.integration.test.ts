import { Stripe } from 'stripe';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pay, placeOrder, untilStatus } from '../testing/buyer.ts';
import { runOps } from '../testing/operator.ts';
import { type Shop, startShop } from '../testing/shop.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await startShop();
});
afterEach(() => shop.close());

test('says that both endpoints are registered', async () => {
  const { code, out } = await runOps(shop, ['webhooks', 'check']);
  expect(code).toBe(0);
  expect(out.split('\n')).toEqual([
    `stripe  OK       ${shop.url}/api/webhooks/stripe`,
    `paypal  OK       ${shop.url}/api/webhooks/paypal`,
  ]);
});

describe('at Stripe', () => {
  test('names the events that an endpoint lacks, and that it is disabled', async () => {
    const { handledEvents } = shop.workerParts.gateways.stripe;
    const missing = ['charge.refunded', 'payout.failed'];
    const kept = handledEvents.filter((type) => !missing.includes(type));
    await change({
      enabled_events: [...kept, 'charge.captured'] as Stripe.WebhookEndpointUpdateParams.EnabledEvent[],
    });
    expect(await check()).toMatchObject({
      code: 1,
      findings: [
        {
          check: 'stripe',
          state: 'problem',
          found: expect.stringContaining('lacks charge.refunded, payout.failed'),
        },
        {},
      ],
    });
    await change({ enabled_events: ['*'], disabled: true });
    expect(await check()).toMatchObject({
      code: 1,
      findings: [{ check: 'stripe', state: 'problem', found: expect.stringContaining('is disabled') }, {}],
    });
  });

  test('warns of an endpoint of another API version', async () => {
    await removeEndpoint();
    await stripe().webhookEndpoints.create({
      url: ourUrl('stripe'),
      enabled_events: ['*'],
      api_version: '2024-06-20',
    });
    const { code, findings } = await check();
    expect(code).toBe(0);
    expect(findings[0]).toMatchObject({
      state: 'warning',
      found: expect.stringContaining(`not ${Stripe.API_VERSION}`),
    });
  });

  test('names other addresses where ours is not registered', async () => {
    await change({ url: 'https://old.example/hooks' });
    const { code, findings } = await check();
    expect(code).toBe(1);
    expect(findings[0]).toMatchObject({
      state: 'problem',
      found: `${ourUrl('stripe')} is not registered; registered: https://old.example/hooks`,
    });
  });

  test('registers our endpoint with every event that we read, in our version, and prints its secret', async () => {
    await removeEndpoint();
    const { code, out } = await runOps(shop, ['webhooks', 'check', '--create'], 'y');
    expect(code).toBe(0);
    expect(out).toContain(`\nSTRIPE_WEBHOOK_SECRET=${shop.config.stripe.webhookSecrets[0]}`);
    const { data } = await stripe().webhookEndpoints.list();
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({
      url: ourUrl('stripe'),
      api_version: Stripe.API_VERSION,
      enabled_events: shop.workerParts.gateways.stripe.handledEvents,
    });
    shop.startWorker();
    const order = await placeOrder(shop);
    await pay(shop, order);
    await untilStatus(shop, order.orderId, 'paid');
    const [event] = await shop.db('payment_events').where({ order_id: order.orderId, source: 'webhook' });
    expect(event).toMatchObject({ type: 'payment_intent.succeeded' });
  });

  test('registers nothing unless the operator says yes', async () => {
    await removeEndpoint();
    for (const answer of [undefined, 'n'])
      expect((await runOps(shop, ['webhooks', 'check', '--create'], answer)).code).toBe(1);
    expect((await stripe().webhookEndpoints.list()).data).toEqual([]);
  });

  test('repeats what to clean up after an endpoint was replaced', async () => {
    await change({ disabled: true });
    expect(await runOps(shop, ['webhooks', 'check', '--create', '--yes'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('before the current value'),
    });
    const { code, findings } = await check();
    expect(code).toBe(0);
    expect(findings[0]).toMatchObject({
      state: 'warning',
      found: expect.stringContaining('registered 2 times'),
    });
    await removeEndpoint();
    expect((await check()).findings[0]).toMatchObject({ state: 'ok' });
  });

  test('a key that is refused is a problem, not a crash', async () => {
    const { config } = shop.sandbox;
    config.stripe = { ...config.stripe, secretKey: 'sk_test_another' };
    const { code, findings } = await check();
    expect(code).toBe(1);
    expect(findings[0]).toMatchObject({ state: 'problem', action: expect.stringContaining('check the key') });
  });
});

describe('at PayPal', () => {
  test('registers our webhook and prints its id', async () => {
    shop.sandbox.paypal.context.webhooks.delete(shop.config.paypal.webhookId);
    const { code, out } = await runOps(shop, ['webhooks', 'check', '--create', '--yes']);
    expect(code).toBe(0);
    expect(out).toContain(`\nPAYPAL_WEBHOOK_ID=${shop.config.paypal.webhookId}`);
    const [webhook] = shop.sandbox.paypal.context.webhooks.list();
    expect(webhook).toMatchObject({
      url: ourUrl('paypal'),
      event_types: shop.workerParts.gateways.paypal.handledEvents.map((name) => ({ name })),
    });
    expect(await check()).toMatchObject({ code: 0 });
  });

  test('names the id to set where another webhook is registered than the configured one', async () => {
    const { webhooks } = shop.sandbox.paypal.context;
    webhooks.create({ url: 'https://shop.example/other', event_types: [{ name: '*' }] });
    webhooks.delete(shop.config.paypal.webhookId);
    const { config } = shop.sandbox;
    config.paypal = { ...config.paypal, webhookId: '2ANOTHERWEBHOOK' };
    webhooks.create({ url: ourUrl('paypal'), event_types: [{ name: '*' }] });
    const { code, findings } = await check();
    expect(code).toBe(1);
    expect(findings[1]).toMatchObject({ state: 'problem', action: 'PAYPAL_WEBHOOK_ID=2ANOTHERWEBHOOK' });
  });

  test('does not register an address twice', async () => {
    const { webhooks } = shop.sandbox.paypal.context;
    webhooks.delete(shop.config.paypal.webhookId);
    webhooks.create({ url: ourUrl('paypal'), event_types: [{ name: 'PAYMENT.CAPTURE.COMPLETED' }] });
    const result = await runOps(shop, ['webhooks', 'check', '--create', '--yes']);
    expect(result).toMatchObject({ code: 1, err: expect.stringContaining('takes an address once') });
    expect(result.out).toContain('lacks CHECKOUT.ORDER.APPROVED');
    expect(webhooks.list()).toHaveLength(1);
  });
});

test('an endpoint that is registered but switched off here is a problem, with what to set', async () => {
  const off = await startShop({ env: { STRIPE_WEBHOOK_SECRET: '', PAYPAL_WEBHOOK_ID: '' } });
  try {
    const { stripe: stripeSettings, paypal } = off.sandbox.config;
    const checked = await runOps(off, ['webhooks', 'check']);
    expect(checked.code).toBe(1);
    expect(checked.out).toContain('STRIPE_WEBHOOK_SECRET is empty');
    expect(checked.out).toContain('→ copy the signing secret of we_sandbox from the dashboard');
    expect(checked.out).toContain('PAYPAL_WEBHOOK_ID is empty');
    expect(checked.out).toContain(`→ PAYPAL_WEBHOOK_ID=${paypal.webhookId}`);

    const { out, err } = await runOps(off, ['webhooks', 'check', '--create', '--yes']);
    expect(err).toBe('');
    expect(out).toContain(`restart the web processes; then delete we_sandbox:`);
    expect(out).toContain(`\nSTRIPE_WEBHOOK_SECRET=${stripeSettings.webhookSecret}`);
    expect((await off.sandbox.stripeClient.webhookEndpoints.list()).data).toHaveLength(2);
    expect(off.sandbox.paypal.context.webhooks.list()).toHaveLength(1);
  } finally {
    await off.close();
  }
});

async function check() {
  const { code, out } = await runOps(shop, ['webhooks', 'check', '--json']);
  return { code, findings: JSON.parse(out).findings };
}

function stripe(): Stripe {
  return shop.sandbox.stripeClient;
}

function ourUrl(provider: string): string {
  return `${shop.url}/api/webhooks/${provider}`;
}

/** Changes the endpoint that the sandbox starts with. */
async function change(params: Stripe.WebhookEndpointUpdateParams): Promise<void> {
  await stripe().webhookEndpoints.update('we_sandbox', params);
}

async function removeEndpoint(): Promise<void> {
  await stripe().webhookEndpoints.del('we_sandbox');
}
