import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PayPalClient } from '../testing/paypal-client.ts';
import { PayPalJudge } from '../testing/paypal-judge.ts';
import { type RunningSandbox, startSandbox } from '../testing/sandbox.ts';

describe('against PayPal’s own documents', () => {
  let sandbox: RunningSandbox;
  let paypal: PayPalClient;

  beforeAll(async () => {
    sandbox = await startSandbox();
    paypal = new PayPalClient(sandbox);
  });
  afterAll(() => sandbox.close());

  test('every call and every answer is valid', async () => {
    await everythingOnce(paypal);
    const { exchanges } = sandbox.paypal;
    expect(exchanges.length).toBeGreaterThan(30);
    const judge = new PayPalJudge();
    const faults = exchanges.flatMap((exchange) => {
      // Disputes are not in these documents.
      if (exchange.path.startsWith('/v1/customer/disputes')) return [];
      return judge
        .faults(exchange)
        .map((fault) => `${exchange.method} ${exchange.path} ${exchange.status}: ${fault}`);
    });
    expect(faults).toEqual([]);
  });

  test('the judge reports invalid calls, invalid answers and unknown operations', () => {
    const judge = new PayPalJudge();
    const answer = JSON.stringify({ id: '1', status: 'PAID', links: [{ rel: 'self' }] });
    const requestBody = JSON.stringify({ intent: 'TAKE' });
    const faults = judge.faults({
      method: 'POST',
      path: '/v2/checkout/orders',
      requestBody,
      status: 201,
      answer,
    });
    expect(faults).toEqual(
      expect.arrayContaining([expect.stringMatching(/^request /), expect.stringMatching(/^answer \/status/)]),
    );
    expect(
      judge.faults({ method: 'GET', path: '/v3/wishes', requestBody: '', status: 200, answer: '{}' }),
    ).toHaveLength(1);
  });
});

async function everythingOnce(paypal: PayPalClient): Promise<void> {
  const whole = { prefer: 'return=representation' };
  const orders = '/v2/checkout/orders';
  await paypal.createOrder({}, whole);
  for (const outcome of ['completed', 'pending', 'declined']) {
    const { orderId, captureId } = await paypal.buy(outcome);
    await paypal.call('GET', `${orders}/${orderId}`);
    await paypal.call('POST', `${orders}/${orderId}/capture`, {});
    if (captureId) await paypal.call('GET', `/v2/payments/captures/${captureId}`);
    if (captureId) await paypal.call('POST', `/v2/payments/captures/${captureId}/refund`, {});
  }
  const { captureId, orderId } = await paypal.buy();
  const refund = `/v2/payments/captures/${captureId}/refund`;
  const part = { amount: { currency_code: 'USD', value: '9.00' }, note_to_payer: 'Sorry' };
  const refunded = await paypal.call('POST', refund, part, { ...whole, 'paypal-request-id': 'refund-1' });
  await paypal.call('GET', `/v2/payments/refunds/${refunded.body.id}`);
  await paypal.call('POST', refund, { amount: { currency_code: 'USD', value: '9000.00' } });
  await paypal.call('POST', refund, { amount: { currency_code: 'USD', value: '0.00' } });
  await paypal.call('POST', refund, {});
  await paypal.call('POST', refund, {});
  await paypal.call('GET', `${orders}/${orderId}`);

  const id = { 'paypal-request-id': 'order-1' };
  const wallet = {
    payment_source: { paypal: { experience_context: { return_url: 'https://shop.example/back' } } },
  };
  const unit = { purchase_units: [{ amount: { currency_code: 'USD', value: '1.00' } }] };
  await paypal.call('POST', orders, { intent: 'CAPTURE', ...unit, ...wallet }, { ...id, ...whole });
  await paypal.createOrder({}, { 'paypal-request-id': 'order-2' });
  await paypal.createOrder({}, { 'paypal-request-id': 'order-2' });

  for (const bad of [{}, { intent: 'AUTHORIZE', ...unit }, { intent: 'CAPTURE', purchase_units: [] }])
    await paypal.call('POST', orders, bad);
  for (const value of ['0.00', '1.234', 'ten']) {
    await paypal.call('POST', orders, {
      intent: 'CAPTURE',
      purchase_units: [{ amount: { currency_code: 'USD', value } }],
    });
  }
  for (const path of [`${orders}/UNKNOWN`, '/v2/payments/captures/UNKNOWN', '/v2/payments/refunds/UNKNOWN']) {
    await paypal.call('GET', path);
    await paypal.call('GET', path, undefined, { authorization: 'Bearer nonsense' });
  }
  await paypal.call('POST', `${orders}/UNKNOWN/capture`, {});
  const webhooks = '/v1/notifications/webhooks';
  const hook = { url: 'https://shop.example/hooks', event_types: [{ name: 'PAYMENT.CAPTURE.COMPLETED' }] };
  const { body: created } = await paypal.call('POST', webhooks, hook);
  await paypal.call('POST', webhooks, hook);
  await paypal.call('POST', webhooks, { url: hook.url });
  await paypal.call('GET', webhooks);
  await paypal.call('GET', `${webhooks}/${created.id}`);
  await paypal.call('DELETE', `${webhooks}/${created.id}`);
  await paypal.call('DELETE', `${webhooks}/${created.id}`);
  const events = await paypal.call('GET', '/v1/notifications/webhooks-events?page_size=2');
  const [event] = Reflect.get(events.body, 'events') as { id: string }[];
  await paypal.call('GET', `/v1/notifications/webhooks-events/${event?.id}`);
}
