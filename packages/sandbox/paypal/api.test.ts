import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { PayPalClient } from '../testing/paypal-client.ts';
import { type RunningSandbox, startSandbox } from '../testing/sandbox.ts';

let sandbox: RunningSandbox;
let paypal: PayPalClient;

beforeAll(async () => {
  sandbox = await startSandbox();
  paypal = new PayPalClient(sandbox);
});
afterEach(() => sandbox.faults.clear());
afterAll(() => sandbox.close());

const whole = { prefer: 'return=representation' };

describe('an order', () => {
  test('is created, approved by the buyer and captured once', async () => {
    const created = await paypal.createOrder();
    expect(created).toMatchObject({ status: 201, body: { status: 'CREATED' } });
    expect(created.body).not.toHaveProperty('purchase_units');
    const path = `/v2/checkout/orders/${created.body.id}`;

    const early = await paypal.call('POST', `${path}/capture`);
    expect(early).toMatchObject({ status: 422, body: { details: [{ issue: 'ORDER_NOT_APPROVED' }] } });
    await paypal.control(`/orders/${created.body.id}/approve`);
    expect((await paypal.call('GET', path)).body).toMatchObject({
      status: 'APPROVED',
      payer: { email_address: expect.any(String) },
    });

    const captured = await paypal.call('POST', `${path}/capture`, {});
    expect(captured).toMatchObject({
      status: 201,
      body: {
        status: 'COMPLETED',
        purchase_units: [
          {
            payments: {
              captures: [
                {
                  status: 'COMPLETED',
                  amount: { value: '2999.00' },
                  custom_id: 'order-1',
                  final_capture: true,
                },
              ],
            },
          },
        ],
      },
    });
    const again = await paypal.call('POST', `${path}/capture`, {});
    expect(again).toMatchObject({ status: 422, body: { details: [{ issue: 'ORDER_ALREADY_CAPTURED' }] } });
  });

  test('is returned whole on request', async () => {
    const { body } = await paypal.createOrder({}, whole);
    expect(body).toMatchObject({
      intent: 'CAPTURE',
      purchase_units: [{ amount: { currency_code: 'USD', value: '2999.00' } }],
    });
  });

  test('with the same PayPal-Request-Id is created and captured once', async () => {
    const id = { 'paypal-request-id': crypto.randomUUID() };
    const first = await paypal.createOrder({}, id);
    const again = await paypal.createOrder({}, id);
    expect([again.status, again.body.id]).toEqual([200, first.body.id]);
    await paypal.control(`/orders/${first.body.id}/approve`);
    const capture = () => paypal.call('POST', `/v2/checkout/orders/${first.body.id}/capture`, {}, id);
    const captured = await capture();
    expect(await capture()).toEqual({ status: 200, body: captured.body });
  });

  test('with a wallet requires the buyer and a request id', async () => {
    const request = {
      intent: 'CAPTURE',
      purchase_units: [{ amount: { currency_code: 'USD', value: '10.00' } }],
      payment_source: {
        paypal: { experience_context: { return_url: 'https://shop.example/back', user_action: 'PAY_NOW' } },
      },
    };
    expect(await paypal.call('POST', '/v2/checkout/orders', request)).toMatchObject({
      status: 400,
      body: { details: [{ issue: 'PAYPAL_REQUEST_ID_REQUIRED' }] },
    });
    const made = await paypal.call('POST', '/v2/checkout/orders', request, { 'paypal-request-id': 'r-1' });
    expect(made).toMatchObject({ status: 200, body: { status: 'PAYER_ACTION_REQUIRED' } });
  });

  test('declined by the bank can be approved and captured again', async () => {
    const { orderId, answer } = await paypal.buy('declined');
    expect(answer).toMatchObject({
      status: 422,
      body: { details: [{ issue: 'INSTRUMENT_DECLINED' }], links: [{ rel: 'redirect' }] },
    });
    await paypal.control(`/orders/${orderId}/approve`);
    expect((await paypal.call('POST', `/v2/checkout/orders/${orderId}/capture`)).status).toBe(201);
  });

  test('pays an invoice only once', async () => {
    const unit = { invoice_id: crypto.randomUUID() };
    const [one, two] = [await paypal.createOrder(unit), await paypal.createOrder(unit)];
    for (const { body } of [one, two]) await paypal.control(`/orders/${body.id}/approve`);
    expect((await paypal.call('POST', `/v2/checkout/orders/${one.body.id}/capture`)).status).toBe(201);
    const second = await paypal.call('POST', `/v2/checkout/orders/${two.body.id}/capture`);
    expect(second).toMatchObject({ status: 422, body: { details: [{ issue: 'DUPLICATE_INVOICE_ID' }] } });
  });

  test.each([
    [{ purchase_units: [] }, 400, 'MISSING_REQUIRED_PARAMETER'],
    [{ intent: 'CAPTURE' }, 400, 'MISSING_REQUIRED_PARAMETER'],
    [{ intent: 'CAPTURE', purchase_units: [{}] }, 400, 'MISSING_REQUIRED_PARAMETER'],
    [
      { intent: 'CAPTURE', purchase_units: [{ amount: { currency_code: 'USD', value: 'ten' } }] },
      400,
      'INVALID_PARAMETER_SYNTAX',
    ],
    [
      { intent: 'CAPTURE', purchase_units: [{ amount: { currency_code: 'USD', value: '0.00' } }] },
      422,
      'CANNOT_BE_ZERO_OR_NEGATIVE',
    ],
    [
      { intent: 'CAPTURE', purchase_units: [{ amount: { currency_code: 'USD', value: '1.234' } }] },
      422,
      'DECIMAL_PRECISION',
    ],
    [
      { intent: 'CAPTURE', purchase_units: [{ amount: { currency_code: 'ABC', value: '1.00' } }] },
      422,
      'INVALID_CURRENCY_CODE',
    ],
  ])('like %j is %i %s', async (request, status, issue) => {
    const answer = await paypal.call('POST', '/v2/checkout/orders', request);
    expect(answer).toMatchObject({ status, body: { details: [{ issue }] } });
  });
});

describe('a captured payment', () => {
  test('is refunded in parts until nothing is left', async () => {
    const { captureId } = await paypal.buy();
    const path = `/v2/payments/captures/${captureId}`;
    const part = { amount: { currency_code: 'USD', value: '1000.00' } };
    const first = await paypal.call('POST', `${path}/refund`, part, whole);
    expect(first).toMatchObject({
      status: 201,
      body: {
        status: 'COMPLETED',
        seller_payable_breakdown: { total_refunded_amount: { value: '1000.00' } },
      },
    });
    expect((await paypal.call('GET', path)).body.status).toBe('PARTIALLY_REFUNDED');
    const tooMuch = await paypal.call('POST', `${path}/refund`, {
      amount: { currency_code: 'USD', value: '2000.00' },
    });
    expect(tooMuch).toMatchObject({ status: 422, body: { details: [{ issue: 'REFUND_AMOUNT_EXCEEDED' }] } });
    await paypal.control(`/captures/${captureId}/refund`);
    expect((await paypal.call('GET', path)).body.status).toBe('REFUNDED');
    const empty = await paypal.call('POST', `${path}/refund`, {});
    expect(empty).toMatchObject({ status: 422, body: { details: [{ issue: 'CAPTURE_FULLY_REFUNDED' }] } });
    expect((await paypal.call('GET', `/v2/payments/refunds/${first.body.id}`)).body.status).toBe('COMPLETED');
  });

  test.each([
    ['complete', 'COMPLETED'],
    ['deny', 'DECLINED'],
  ])('that is pending is decided by %s', async (decision, status) => {
    const { captureId, answer } = await paypal.buy('pending');
    expect(answer.body).toMatchObject({
      purchase_units: [{ payments: { captures: [{ status: 'PENDING' }] } }],
    });
    await paypal.control(`/captures/${captureId}/${decision}`);
    expect((await paypal.call('GET', `/v2/payments/captures/${captureId}`)).body.status).toBe(status);
  });

  test('is refunded in full or not at all while a case is open, which then closes', async () => {
    const { captureId } = await paypal.buy();
    const { dispute_id: id } = Object(await paypal.control(`/captures/${captureId}/dispute`));
    const refund = (body: object) => paypal.call('POST', `/v2/payments/captures/${captureId}/refund`, body);
    const part = await refund({ amount: { value: '1.00', currency_code: 'USD' } });
    expect(part).toMatchObject({ status: 422, body: { details: [{ issue: 'TRANSACTION_DISPUTED' }] } });
    expect((await refund({})).status).toBe(201);
    expect((await paypal.call('GET', `/v1/customer/disputes/${id}`)).body.status).toBe('RESOLVED');
  });

  test.each([
    ['under review', {}, 'TRANSACTION_DISPUTED'],
    ['a chargeback', { channel: 'EXTERNAL' }, 'REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK'],
  ])('is not refunded while the case is %s', async (_what, channel, issue) => {
    const { captureId } = await paypal.buy();
    const { dispute_id: id } = Object(await paypal.control(`/captures/${captureId}/dispute`, channel));
    await paypal.control(`/disputes/${id}/provide_evidence`);
    const answer = await paypal.call('POST', `/v2/payments/captures/${captureId}/refund`, {});
    expect(answer).toMatchObject({ status: 422, body: { details: [{ issue }] } });
  });

  test('that is disputed shows a closed dispute as open at first, if so asked', async () => {
    const { captureId } = await paypal.buy();
    const dispute = await paypal.control(`/captures/${captureId}/dispute`);
    const id = String(Reflect.get(dispute, 'dispute_id'));
    sandbox.behaviors.add({ name: 'paypal-late-outcome', match: captureId, count: 1 });
    await paypal.control(`/disputes/${id}/resolve`, { outcome: 'won' });
    const show = async () => (await paypal.call('GET', `/v1/customer/disputes/${id}`)).body.status;
    expect([await show(), await show()]).toEqual(['UNDER_REVIEW', 'RESOLVED']);
  });

  test('is reversed by a lost dispute', async () => {
    const { captureId } = await paypal.buy();
    const dispute = await paypal.control(`/captures/${captureId}/dispute`);
    const id = Reflect.get(dispute, 'dispute_id');
    await paypal.control(`/disputes/${id}/resolve`, { outcome: 'lost' });
    const list = await paypal.call('GET', `/v1/customer/disputes?disputed_transaction_id=${captureId}`);
    expect(list.body).toMatchObject({ items: [{ dispute_id: id, status: 'RESOLVED' }] });
    expect((await paypal.call('GET', `/v1/customer/disputes/${id}`)).body).toMatchObject({
      status: 'RESOLVED',
      dispute_outcome: { outcome_code: 'RESOLVED_BUYER_FAVOUR' },
    });
    expect((await paypal.call('GET', `/v2/payments/captures/${captureId}`)).body.status).toBe('REFUNDED');
  });
});

describe('access', () => {
  test('refuses a client token on the API', async () => {
    const { access_token } = await paypal.token({ response_type: 'client_token' });
    const headers = { authorization: `Bearer ${access_token}` };
    expect((await paypal.createOrder({}, headers)).status).toBe(401);
  });

  test('refuses an unknown client with an OAuth error', async () => {
    const answer = await fetch(`${sandbox.url}/paypal/v1/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('someone:else')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    expect([answer.status, await answer.json()]).toMatchObject([401, { error: 'invalid_client' }]);
  });

  test('accepts a token after a restart', async () => {
    const { access_token } = await paypal.token();
    const other = await startSandbox();
    const answer = await new PayPalClient(other).call('GET', '/v2/checkout/orders/UNKNOWN', undefined, {
      authorization: `Bearer ${access_token}`,
    });
    expect(answer.status).toBe(404);
    await other.close();
  });
});

describe('an outage', () => {
  test('fails as often as requested', async () => {
    sandbox.faults.add({ target: 'paypal', mode: 'error', count: 1, match: '/orders' });
    expect(await paypal.createOrder()).toMatchObject({
      status: 500,
      body: { name: 'INTERNAL_SERVER_ERROR' },
    });
    expect((await paypal.createOrder()).status).toBe(201);
  });

  test('can lose the answer to finished work', async () => {
    const { body } = await paypal.createOrder();
    await paypal.control(`/orders/${body.id}/approve`);
    sandbox.faults.add({ target: 'paypal', mode: 'drop', when: 'after', count: 1, match: '/capture' });
    await expect(paypal.call('POST', `/v2/checkout/orders/${body.id}/capture`)).rejects.toThrow();
    expect((await paypal.call('GET', `/v2/checkout/orders/${body.id}`)).body.status).toBe('COMPLETED');
  });
});
