import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BehaviorRequest } from '../behaviors.ts';
import { PayPalClient } from '../testing/paypal-client.ts';
import { PayPalJudge } from '../testing/paypal-judge.ts';
import { type RunningSandbox, startSandbox } from '../testing/sandbox.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../testing/webhook-receiver.ts';
import { captureIssues } from './capture-issues.ts';

let site: WebhookReceiver;
let sandbox: RunningSandbox;
let paypal: PayPalClient;

beforeAll(async () => {
  site = await startWebhookReceiver();
  sandbox = await startSandbox({ siteUrl: site.url });
  paypal = new PayPalClient(sandbox);
});
beforeEach(() => site.received.splice(0));
afterEach(() => sandbox.behaviors.clear());
afterAll(async () => {
  await sandbox.close();
  await site.close();
});

describe('captures', () => {
  test('can take time, and finish without the caller', async () => {
    const orderId = await approvedOrder();
    enable({ name: 'paypal-slow-capture', ms: 150, count: 1 });
    const started = performance.now();
    expect((await capture(orderId)).body.status).toBe('COMPLETED');
    expect(performance.now() - started).toBeGreaterThan(140);
  });

  test.each([
    ['409', 409, 'PREVIOUS_REQUEST_IN_PROGRESS'],
    ['422', 422, 'ORDER_COMPLETION_IN_PROGRESS'],
    ['500', 500, undefined],
  ])('with one request id at once: the second fails with %s', async (value, status, issue) => {
    const orderId = await approvedOrder();
    enable({ name: 'paypal-concurrent-capture', value, ms: 200, count: 1 });
    const first = capture(orderId, 'one-id');
    await expect.poll(() => sandbox.behaviors.list()).toEqual([]);
    const second = await capture(orderId, 'one-id');
    expect(second.status).toBe(status);
    expect(issueOf(second)).toBe(issue);
    expect((await first).body.status).toBe('COMPLETED');
    expect((await capture(orderId, 'one-id')).body.status).toBe('COMPLETED');
  });

  test('are refused with every issue that PayPal documents', async () => {
    for (const value of captureIssues) {
      const orderId = await approvedOrder();
      enable({ name: 'paypal-capture-issue', value, count: 1, match: orderId });
      const refused = await capture(orderId);
      expect([refused.status, issueOf(refused)]).toEqual([422, value]);
    }
  });

  test('can be shown late', async () => {
    const { captureId } = await paypal.buy();
    enable({ name: 'paypal-late-capture', match: captureId, count: 1 });
    const path = `/v2/payments/captures/${captureId}`;
    expect((await paypal.call('GET', path)).status).toBe(404);
    expect((await paypal.call('GET', path)).body.id).toBe(captureId);
  });

  test('can lack the id of their order', async () => {
    enable({ name: 'paypal-capture-without-order' });
    const { captureId } = await paypal.buy();
    const { body } = await paypal.call('GET', `/v2/payments/captures/${captureId}`);
    expect(body).not.toHaveProperty('supplementary_data');
    expect((await delivered('PAYMENT.CAPTURE.COMPLETED')).resource).not.toHaveProperty('supplementary_data');
    await paypal.call('POST', `/v2/payments/captures/${captureId}/refund`, {});
    expect((await delivered('PAYMENT.CAPTURE.REFUNDED')).resource.status).toBe('COMPLETED');
  });

  test.each([
    ['completed', 'COMPLETED', 'PAYMENT.CAPTURE.COMPLETED'],
    ['denied', 'DECLINED', 'PAYMENT.CAPTURE.DENIED'],
  ])('by eCheck are pending, then %s', async (value, status, type) => {
    enable({ name: 'paypal-echeck', value, ms: 50 });
    const { captureId } = await paypal.buy();
    const pending = await delivered('PAYMENT.CAPTURE.PENDING');
    expect(pending.resource).toMatchObject({ status: 'PENDING', status_details: { reason: 'ECHECK' } });
    await delivered(type);
    expect((await paypal.call('GET', `/v2/payments/captures/${captureId}`)).body.status).toBe(status);
  });

  test('that are denied can be reported as declined', async () => {
    enable({ name: 'paypal-declined-event' });
    const { captureId } = await paypal.buy('pending');
    await paypal.control(`/captures/${captureId}/deny`);
    await delivered('PAYMENT.CAPTURE.DECLINED');
  });
});

describe('refunds', () => {
  test.each([
    ['completed', 'COMPLETED', 'PAYMENT.CAPTURE.REFUNDED', 'REFUNDED'],
    ['failed', 'FAILED', 'PAYMENT.REFUND.FAILED', 'COMPLETED'],
    ['cancelled', 'CANCELLED', 'PAYMENT.REFUND.FAILED', 'COMPLETED'],
  ])('are pending, then %s', async (value, status, type, captureStatus) => {
    const { captureId, orderId } = await paypal.buy();
    enable({ name: 'paypal-pending-refund', value, ms: 50 });
    const refund = await paypal.call('POST', `/v2/payments/captures/${captureId}/refund`, {});
    expect(refund.body.status).toBe('PENDING');
    expect((await delivered('PAYMENT.REFUND.PENDING')).resource.status).toBe('PENDING');
    expect((await delivered(type)).resource).toMatchObject({ id: refund.body.id, status });
    expect((await paypal.call('GET', `/v2/payments/refunds/${refund.body.id}`)).body.status).toBe(status);
    const order = await paypal.call('GET', `/v2/checkout/orders/${orderId}`);
    expect(order.body).toMatchObject({
      purchase_units: [{ payments: { captures: [{ status: captureStatus }], refunds: [{ status }] } }],
    });
  });

  test('that are pending cannot be refunded twice, and are settled on request', async () => {
    const { captureId } = await paypal.buy();
    enable({ name: 'paypal-pending-refund' });
    const path = `/v2/payments/captures/${captureId}/refund`;
    const { body } = await paypal.call('POST', path, {});
    expect((await paypal.call('POST', path, {})).status).toBe(422);
    expect(await paypal.control(`/refunds/${body.id}/settle`, { outcome: 'failed' })).toMatchObject({
      status: 'FAILED',
    });
    expect((await paypal.call('POST', path, {})).status).toBe(201);
  });
});

test('a lost dispute can stay without a reversal', async () => {
  const { captureId } = await paypal.buy();
  enable({ name: 'paypal-unbooked-dispute' });
  const dispute = await paypal.control(`/captures/${captureId}/dispute`);
  await paypal.control(`/disputes/${Reflect.get(dispute, 'dispute_id')}/resolve`, { outcome: 'lost' });
  const resolved = await delivered('CUSTOMER.DISPUTE.RESOLVED');
  expect(resolved.resource.dispute_outcome).toMatchObject({
    outcome_code: 'RESOLVED_BUYER_FAVOUR',
    amount_refunded: { value: '2999.00' },
  });
  expect((await paypal.call('GET', `/v2/payments/captures/${captureId}`)).body.status).toBe('COMPLETED');
});

test('a dispute can be decided again after an appeal, unless a refund closed it', async () => {
  const { captureId } = await paypal.buy();
  const dispute = await paypal.control(`/captures/${captureId}/dispute`);
  const path = `/disputes/${Reflect.get(dispute, 'dispute_id')}/resolve`;
  await paypal.control(path, { outcome: 'won' });
  await paypal.control(path, { outcome: 'lost' });
  expect((await paypal.call('GET', `/v2/payments/captures/${captureId}`)).body.status).toBe('REFUNDED');
  await paypal.control(path, { outcome: 'won' });
  expect((await paypal.call('GET', `/v2/payments/captures/${captureId}`)).body.status).toBe('COMPLETED');

  const again = await paypal.control(`/captures/${captureId}/dispute`);
  await paypal.control(`/captures/${captureId}/refund`);
  const closed = `/disputes/${Reflect.get(again, 'dispute_id')}/resolve`;
  await expect(paypal.control(closed, { outcome: 'won' })).rejects.toThrow();
});

test('a client token can expire early', async () => {
  enable({ name: 'paypal-short-client-token', ms: 1, count: 1 });
  const expired = await paypal.token({ response_type: 'client_token' });
  const fresh = await paypal.token({ response_type: 'client_token' });
  expect([expired.expires_in, fresh.expires_in]).toEqual([0, 900]);
  const { body } = await paypal.createOrder();
  const page = async (client: string) =>
    (
      await fetch(`${sandbox.url}/paypal/checkoutnow?${new URLSearchParams({ token: body.id, client })}`)
    ).text();
  expect(await page(expired.access_token)).toContain('data-kind="expired"');
  expect(await page(fresh.access_token)).toContain('Pay now');
});

test('every call and answer above is valid against PayPal’s documents', () => {
  const judge = new PayPalJudge();
  expect(sandbox.paypal.exchanges.length).toBeGreaterThan(100);
  expect(sandbox.paypal.exchanges.flatMap((exchange) => judge.faults(exchange))).toEqual([]);
});

function enable(request: BehaviorRequest): void {
  sandbox.behaviors.add(request);
}

async function approvedOrder(): Promise<string> {
  const { body } = await paypal.createOrder();
  await paypal.control(`/orders/${body.id}/approve`);
  return body.id;
}

function capture(orderId: string, requestId: string = crypto.randomUUID()) {
  return paypal.call(
    'POST',
    `/v2/checkout/orders/${orderId}/capture`,
    {},
    { 'paypal-request-id': requestId },
  );
}

function issueOf({ body }: { body: object }): string | undefined {
  const details: { issue: string }[] | undefined = Reflect.get(body, 'details');
  return details?.[0]?.issue;
}

/** The first delivered event of this type. */
async function delivered(type: string) {
  await expect.poll(() => site.types()).toContain(type);
  return site.received.map(({ body }) => JSON.parse(body)).find((event) => event.event_type === type);
}
