import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RunningSandbox, startSandbox } from './testing/sandbox.ts';
import { startWebhookReceiver, type WebhookReceiver } from './testing/webhook-receiver.ts';

let site: WebhookReceiver;
let sandbox: RunningSandbox;

beforeEach(async () => {
  site = await startWebhookReceiver();
  sandbox = await startSandbox({ siteUrl: site.url });
});
afterEach(async () => {
  await sandbox.close();
  await site.close();
});

describe('Stripe', () => {
  test('fails as often as requested, then works again', async () => {
    await addFault({ target: 'stripe', mode: 'error', count: 2 });
    for (let i = 0; i < 2; i += 1) {
      await expect(createIntent()).rejects.toMatchObject({ statusCode: 500, type: 'StripeAPIError' });
    }
    await expect(createIntent()).resolves.toBeDefined();
  });

  test('stays silent until the fault is removed', async () => {
    await addFault({ target: 'stripe', mode: 'timeout' });
    await expect(createIntent({ timeout: 100 })).rejects.toMatchObject({ type: 'StripeConnectionError' });
    const held = createIntent();
    await expect.poll(() => sandbox.faults.list()[0]?.matched).toBe(2);
    await removeFaults();
    // The official client repeats the call whose connection is reset.
    await expect(held).resolves.toBeDefined();
  });

  test('answers a slow call as soon as its fault is removed', async () => {
    await addFault({ target: 'stripe', mode: 'slow', ms: 3_600_000, count: 1 });
    const held = createIntent();
    await expect.poll(() => sandbox.faults.list()).toEqual([]);
    expect(sandbox.stripe.state.paymentIntents.size).toBe(0);
    await removeFaults();
    await expect(held).resolves.toBeDefined();
  });

  test('holds calls of other faults when one is removed', async () => {
    const [one, other] = ['slow', 'slow'].map((mode) =>
      sandbox.faults.add({ target: 'stripe', mode, ms: 3_600_000, count: 1 }),
    );
    const [first, second] = [createIntent(), createIntent()];
    await expect.poll(() => sandbox.faults.list()).toEqual([]);
    sandbox.faults.remove(one?.id ?? 0);
    await Promise.race([first, second]);
    expect(sandbox.stripe.state.paymentIntents.size).toBe(1);
    sandbox.faults.remove(other?.id ?? 0);
    await Promise.all([first, second]);
  });

  test('resets connections and answers slowly', async () => {
    // The official client retries once after a reset.
    await addFault({ target: 'stripe', mode: 'drop', count: 2 });
    await expect(createIntent()).rejects.toMatchObject({ type: 'StripeConnectionError' });
    await addFault({ target: 'stripe', mode: 'slow', ms: 150, count: 1 });
    const started = performance.now();
    await createIntent();
    expect(performance.now() - started).toBeGreaterThan(140);
  });

  test('takes its time to fail', async () => {
    await addFault({ target: 'stripe', mode: 'error', ms: 150, count: 1 });
    const started = performance.now();
    await expect(createIntent()).rejects.toMatchObject({ statusCode: 500 });
    expect(performance.now() - started).toBeGreaterThan(140);
  });

  test('limits the rate', async () => {
    await addFault({ target: 'stripe', mode: 'error', code: 429, count: 1 });
    await expect(createIntent()).rejects.toMatchObject({ type: 'StripeRateLimitError' });
  });
});

describe('webhooks', () => {
  test('arrive twice with the same event id', async () => {
    await addFault({ target: 'webhooks', mode: 'duplicate', count: 1 });
    await createIntent();
    await expect.poll(() => site.received.length).toBe(2);
    expect(site.received[0]?.body).toBe(site.received[1]?.body);
  });

  test('arrive in reverse', async () => {
    await addFault({ target: 'webhooks', mode: 'reorder', count: 3 });
    const intent = await createIntent();
    await sandbox.stripeClient.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' });
    await expect
      .poll(() => site.types())
      .toEqual(['payment_intent.succeeded', 'charge.succeeded', 'payment_intent.created']);
  });

  test('never arrive, but stay in the event list', async () => {
    await addFault({ target: 'webhooks', mode: 'drop' });
    await createIntent();
    await expect.poll(async () => (await deliveries())[0]?.status).toBe('dropped');
    expect((await sandbox.stripeClient.events.list()).data).toHaveLength(1);
    expect(site.received).toEqual([]);
  });

  test('fail and are retried', async () => {
    await addFault({ target: 'webhooks', mode: 'error', count: 1 });
    await createIntent();
    await expect.poll(() => site.received.length, { timeout: 3000 }).toBe(1);
    expect((await deliveries())[0]?.attempts).toHaveLength(2);
  });
});

test('refuses an invalid fault with the reason', async () => {
  for (const request of [
    {},
    { target: 'bank', mode: 'error' },
    { target: 'smtp', mode: 'reorder' },
    { target: 'stripe', mode: 'error', count: 0 },
  ]) {
    const answer = await post('/faults', request);
    expect(answer.status).toBe(400);
    expect((await answer.json()).message).not.toBe('');
  }
  expect(await (await fetch(`${sandbox.url}/faults`)).json()).toEqual([]);
});

async function addFault(request: object): Promise<void> {
  expect((await post('/faults', request)).status).toBe(201);
}

async function removeFaults(): Promise<void> {
  await fetch(`${sandbox.url}/faults`, { method: 'DELETE' });
}

function post(path: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(`${sandbox.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

function createIntent(options: { timeout?: number } = {}) {
  return sandbox.stripeClient.paymentIntents.create({ amount: 1000, currency: 'usd' }, options);
}

async function deliveries(): Promise<{ status: string; attempts: unknown[] }[]> {
  return (await fetch(`${sandbox.url}/stripe/sandbox/deliveries`)).json();
}
