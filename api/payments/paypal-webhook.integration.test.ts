import { createServer } from 'node:http';
import { makeKeys } from '@querywright/sandbox/paypal/signing-keys';
import { describe, expect, test } from 'vitest';
import { holdCall } from '../../testing/held-call.ts';
import { deliverPaypal, type PaypalSigning, paypalEvent } from '../../testing/paypal.ts';
import { startShop, withShop } from '../../testing/shop.ts';
import { waitFor } from '../../testing/wait-for.ts';

const shop = await withShop();

const someEvent = () => paypalEvent('BILLING.PLAN.CREATED', { id: 'P-1' });

test('a genuine event is stored verbatim and once, also when delivered 50 times at once', async () => {
  const event = someEvent();
  const answers = await Promise.all(Array.from({ length: 50 }, () => deliverPaypal(shop, event)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const rows = await shop.db('payment_events').where({ event_id: event.id });
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ provider: 'paypal', type: 'BILLING.PLAN.CREATED', payload: event });
});

test('the job of an event carries the order that the event names', async () => {
  const orderId = crypto.randomUUID();
  const event = paypalEvent('BILLING.PLAN.CREATED', { id: 'P-1', custom_id: orderId });
  expect((await deliverPaypal(shop, event)).status).toBe(200);
  const { id } = await shop.db('payment_events').where({ event_id: event.id }).first('id');
  const job = await shop.db('outbox').whereRaw(`payload->>'eventId' = ?`, [id]).first('payload');
  expect(job.payload).toEqual({ eventId: id, namedOrderId: orderId });
});

describe('what PayPal did not send is 400 and stored nowhere:', () => {
  const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
  const certs = '/v1/notifications/certs/CERT-1';

  test.each([
    ['another signature', { headers: { 'paypal-transmission-sig': 'A'.repeat(344) } }],
    ['a signature that is none', { headers: { 'paypal-transmission-sig': 'AAAA' } }],
    ['an id that is none', { headers: { 'paypal-transmission-id': 'a|b' } }],
    ['a signature for another webhook', { webhookId: '0ANOTHERWEBHOOK00' }],
    ['a signature of five days ago', { time: hours(-5 * 24) }],
    ['a signature of tomorrow', { time: hours(24) }],
    ['a time that is none', { time: 'yesterday' }],
    ['another algorithm', { headers: { 'paypal-auth-algo': 'SHA1withRSA' } }],
    ['no signature', { headers: { 'paypal-transmission-sig': null } }],
    ['no certificate', { headers: { 'paypal-cert-url': null } }],
    ['a certificate of another host', cert(`https://evil.example${certs}`)],
    ['a certificate of a look-alike host', cert(`https://api.paypal.com.evil.example${certs}`)],
    ['a certificate behind a name and password', cert(`http://api.paypal.com@evil.example${certs}`)],
    ['a certificate on the metadata service', cert('http://169.254.169.254/latest/meta-data/')],
    ['a certificate in a file', cert('file:///etc/passwd')],
    ['an address that is none', cert('certificate')],
  ])('%s', async (_what, signing) => {
    await refuses(someEvent(), signing);
  });

  test('a body changed by one byte', async () => {
    const signed = JSON.stringify(someEvent());
    await refuses(signed, { sent: signed.replace('P-1', 'P-2') });
  });

  test('a certificate at another path of the right host', async () => {
    await refuses(someEvent(), cert(`${shop.config.paypal.apiUrl}/sandbox/root.pem`));
  });

  test('a certificate that PayPal’s host does not have', async () => {
    await refuses(someEvent(), cert(`${shop.config.paypal.apiUrl}/v1/notifications/certs/CERT-NONE`));
  });

  test('no connection is opened to an address that is not PayPal’s', async () => {
    let visits = 0;
    const trap = createServer((_req, res) => {
      visits += 1;
      res.end();
    });
    await new Promise<void>((resolve) => trap.listen(0, 'localhost', resolve));
    const { port } = trap.address() as { port: number };
    await refuses(someEvent(), cert(`http://localhost:${port}/paypal${certs}`));
    trap.close();
    expect(visits).toBe(0);
  });

  test.each([
    ['an event without an id', '{"event_type":"X"}'],
    ['something that is no JSON', '{"id":'],
    ['a list', '[]'],
  ])('a genuine signature over %s', async (_what, body) => {
    await refuses(body);
  });

  async function refuses(event: object | string, signing?: PaypalSigning) {
    const stored = await shop.db('payment_events').count();
    const answer = await deliverPaypal(shop, event, signing);
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { message: string }).message).not.toBe('');
    expect(await shop.db('payment_events').count()).toEqual(stored);
  }

  function cert(address: string) {
    return { headers: { 'paypal-cert-url': address } };
  }
});

test('a body over the limit is 413, another content type 415, another method 405', async () => {
  const large = JSON.stringify({ ...someEvent(), padding: 'x'.repeat(1_100_000) });
  expect((await deliverPaypal(shop, large)).status).toBe(413);
  const headers = { 'content-type': 'text/plain' };
  expect((await deliverPaypal(shop, someEvent(), { headers })).status).toBe(415);
  expect((await fetch(`${shop.url}/api/webhooks/paypal`)).status).toBe(405);
});

describe('where the certificate cannot be judged here, PayPal is asked', () => {
  test('and its verdict counts, either way', async () => {
    const other = await startShop();
    // A restart of the certificate authority: the root that we would trust does not vouch for this chain.
    const { root } = makeKeys();
    Object.defineProperty(other.sandbox.paypal.keys, 'rootPem', { get: () => root });
    const event = someEvent();
    expect((await deliverPaypal(other, event)).status).toBe(200);
    expect((await deliverPaypal(other, someEvent(), { webhookId: 'ANOTHER' })).status).toBe(400);
    expect(await other.db('payment_events').select('event_id')).toEqual([{ event_id: event.id }]);
    const asked = other.sandbox.paypal.exchanges.filter(({ path }) =>
      path.endsWith('verify-webhook-signature'),
    );
    expect(asked).toHaveLength(2);
    await other.close();
  });

  test('about four events at once, and about none above 64 kB: the others are 503', async () => {
    const other = await startShop();
    Object.defineProperty(other.sandbox.paypal.keys, 'rootPem', { get: () => '' });
    const asked = () =>
      other.sandbox.paypal.exchanges.filter(({ path }) => path.endsWith('verify-webhook-signature')).length;
    const large = paypalEvent('BILLING.PLAN.CREATED', { id: 'P-1', note: 'x'.repeat(70_000) });
    expect((await deliverPaypal(other, large)).status).toBe(503);
    expect(asked()).toBe(0);

    const questions = holdCall(other, 'paypal', { match: 'verify-webhook-signature', count: 4 });
    const statuses: number[] = [];
    const deliveries = Array.from({ length: 20 }, async () => {
      statuses.push((await deliverPaypal(other, someEvent())).status);
    });
    await questions.received();
    await waitFor('the others are answered', () => statuses.length === 16);
    expect(new Set(statuses)).toEqual(new Set([503]));
    questions.release();
    await Promise.all(deliveries);
    expect(statuses.slice(16)).toEqual([200, 200, 200, 200]);
    await other.close();
  });

  test('and if PayPal is unavailable, the answer is 503 and nothing is stored', async () => {
    const other = await startShop();
    Object.defineProperty(other.sandbox.paypal.keys, 'rootPem', { get: () => '' });
    other.sandbox.faults.add({ target: 'paypal', mode: 'error' });
    const event = someEvent();
    const answer = await deliverPaypal(other, event);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(await other.db('payment_events')).toEqual([]);

    other.sandbox.faults.clear();
    expect((await deliverPaypal(other, event)).status).toBe(200);
    await other.close();
  });
});

test('without a webhook id the endpoint is off, and readiness reports it', async () => {
  const closed = await startShop({ env: { PAYPAL_WEBHOOK_ID: '' } });
  expect((await deliverPaypal(closed, someEvent())).status).toBe(404);
  const ready = (await (await fetch(`${closed.url}/readyz`)).json()) as { checks: Record<string, string> };
  expect(ready.checks.paypalWebhook).toBe('off');
  await closed.close();
});
