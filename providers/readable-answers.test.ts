import { createServer, type Server } from 'node:http';
import { listen } from '@querywright/sandbox/listen';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../infra/config.ts';
import { type Gateways, openGateways } from './gateways.ts';
import { ProviderError } from './provider-error.ts';

const order = {
  id: crypto.randomUUID(),
  amount: 299_900,
  currency: 'USD',
  receipt: 'Audit',
  formerPaymentIds: [],
};
const capture = {
  id: '3C679366HH908993F',
  status: 'COMPLETED',
  amount: { currency_code: 'USD', value: '2999.00' },
  custom_id: order.id,
  invoice_id: `querywright-test-${order.id}`,
  create_time: '2026-11-21T10:00:00Z',
};
const paypalOrder = {
  id: '5O190127TN364715T',
  status: 'COMPLETED',
  intent: 'CAPTURE',
  purchase_units: [
    {
      custom_id: order.id,
      amount: { currency_code: 'USD', value: '2999.00' },
      payments: { captures: [capture], refunds: [] },
    },
  ],
};
const intent = {
  id: 'pi_1',
  object: 'payment_intent',
  status: 'succeeded',
  amount: 299_900,
  amount_received: 299_900,
  currency: 'usd',
  client_secret: 'pi_1_secret_2',
  metadata: { app: 'querywright', deployment: 'test', orderId: order.id },
  latest_charge: { id: 'ch_1', object: 'charge', amount: 299_900, refunds: { data: [] } },
};

let server: Server;
let gateways: Gateways;
let answer = '';
beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().once('end', () => {
      const isToken = request.url?.includes('oauth2/token');
      const token = '{"access_token":"t","token_type":"Bearer","expires_in":32400}';
      response.writeHead(200, { 'content-type': 'application/json' }).end(isToken ? token : answer);
    });
  });
  const port = await listen(server, 0, '127.0.0.1');
  const env = { NODE_ENV: 'test', DATABASE_URL: 'postgres://localhost/x', SANDBOX_PORT: String(port) };
  gateways = openGateways(readConfig(env));
});
afterAll(() => void server.close());

const calls: Record<string, (document: object) => Promise<unknown>> = {
  'Stripe creates a payment': () => gateways.stripe.createPayment(order),
  'Stripe reports a payment': () => gateways.stripe.report('pi_1', Date.now()),
  'Stripe refunds a payment': () => gateways.stripe.refundPayment('pi_1'),
  'Stripe refunds a part': () =>
    gateways.stripe.refundPart('pi_1', { amount: 5, currency: 'USD' }, { key: 'key' }),
  'Stripe says what a payment was made for': () => gateways.stripe.originOf('pi_1'),
  'PayPal creates a payment': () => gateways.paypal.createPayment(order),
  'PayPal reports a payment': () => gateways.paypal.report(paypalOrder.id, Date.now()),
  'PayPal refunds a payment': () => gateways.paypal.refundPayment(paypalOrder.id),
  'PayPal refunds a part': () =>
    gateways.paypal.refundPart(paypalOrder.id, { amount: 5, currency: 'USD' }, { key: 'key' }),
  'PayPal says what a payment was made for': () => gateways.paypal.originOf(paypalOrder.id),
};

test.each(Object.keys(calls))(
  '%s, or fails as a provider does, whatever is answered',
  async (name) => {
    const document = name.startsWith('Stripe') ? intent : paypalOrder;
    await fc.assert(
      fc.asyncProperty(odd(document), async (text) => {
        answer = text;
        const outcome = await calls[name]?.(document).catch((error: unknown) => error);
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(ProviderError);
      }),
      { numRuns: 15 },
    );
  },
  60_000,
);

/** The document with one value replaced or left out, cut off, or something else altogether. */
function odd(document: object): fc.Arbitrary<string> {
  const whole = JSON.stringify(document);
  const paths = pathsIn(document);
  const replaced = fc
    .tuple(
      fc.constantFrom(...paths),
      fc.oneof(fc.constant(undefined), fc.jsonValue(), fc.constant(null), fc.constant(-1)),
    )
    .map(([path, value]) => JSON.stringify(replace(document, path, value)));
  return fc.oneof(
    { weight: 6, arbitrary: replaced },
    { weight: 1, arbitrary: fc.nat(whole.length).map((end) => whole.slice(0, end)) },
    { weight: 1, arbitrary: fc.jsonValue().map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.constantFrom('', 'null', '[]', '{}', '"text"', '<html>', '{"__proto__":{}}') },
  );
}

function pathsIn(value: unknown): string[][] {
  if (value === null || typeof value !== 'object') return [[]];
  return Object.entries(value).flatMap(([key, member]) => [
    [key],
    ...pathsIn(member).map((path) => [key, ...path]),
  ]);
}

function replace(value: unknown, [key, ...rest]: string[], to: unknown): unknown {
  if (key === undefined) return to;
  const copy = structuredClone(value) as Record<string, unknown>;
  copy[key] = rest.length === 0 ? to : replace(copy[key], rest, to);
  return copy;
}
