import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mailsAbout, placeOrder, readOrder, untilStatus } from '../../testing/buyer.ts';
import { listOrderHistory } from '../../testing/order-history.ts';
import { type Shop, startShop } from '../../testing/shop.ts';
import { deliver, deliverRaw, event, sign, succeededEvent } from '../../testing/stripe-events.ts';
import { waitFor } from '../../testing/wait-for.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await startShop({ env: { STRIPE_WEBHOOK_SECRET: 'whsec_sandbox,whsec_next' } });
  shop.startWorker();
});
afterAll(() => shop.close());

test('the answer has Connection: close if the sender asked for it', async () => {
  const order = await placeOrder(shop);
  const body = JSON.stringify(succeededEvent(order));
  const headers = { 'stripe-signature': sign(body), connection: 'close' };
  const answer = await deliverRaw(shop, body, headers);
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
});

describe('an event is applied once', () => {
  test('delivered 50 times at once it is stored once, moves the order once and mails once', async () => {
    const order = await placeOrder(shop);
    const success = succeededEvent(order);

    const answers = await Promise.all(Array.from({ length: 50 }, () => deliver(shop, success)));

    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    await untilStatus(shop, order.orderId, 'paid');
    await untilHandled(success.id);
    expect(await stored(success.id)).toHaveLength(1);
    expect(await jobsOf(success.id)).toHaveLength(1);
    expect(await listOrderHistory(shop.db, order.orderId)).toHaveLength(2);
    await waitFor('both mails', async () => (await mailsAbout(shop, order.orderId)).length === 2);
    expect((await deliver(shop, success)).status).toBe(200);
    expect(await mailsAbout(shop, order.orderId)).toHaveLength(2);
  });

  test('a success that arrives before the intent id is stored finds its order by the metadata', async () => {
    const order = await placeOrder(shop);
    await shop.db('orders').where({ id: order.orderId }).update({ payment_intent_id: null });

    await deliver(shop, succeededEvent(order));

    await untilStatus(shop, order.orderId, 'paid');
    const row = await shop.db('orders').where({ id: order.orderId }).first('payment_intent_id');
    expect(row.payment_intent_id).toBe(order.paymentIntentId);
  });

  test('an event that names another order is for review in the order of its payment, and leaves the other alone', async () => {
    const order = await placeOrder(shop);
    const other = await placeOrder(shop);
    const metadata = { app: 'querywright', deployment: 'test', orderId: other.orderId };
    const success = succeededEvent(order, { metadata });

    await deliver(shop, success);

    await untilStatus(shop, order.orderId, 'review');
    const [job] = await jobsOf(success.id);
    expect(job.payload).toMatchObject({ namedOrderId: other.orderId });
    expect(await readOrder(shop, other.orderId)).toMatchObject({ status: 'pending' });
  });

  test('a success that arrives before the order itself is stored and retried', async () => {
    const orderId = crypto.randomUUID();
    const early = succeededEvent({ orderId, paymentIntentId: 'pi_early', clientSecret: '' });
    await deliver(shop, early);
    await waitFor('a first try', async () => {
      const [job] = await jobsOf(early.id);
      return job.attempts > 0;
    });
    expect(await stored(early.id)).toMatchObject([{ status: 'received' }]);

    const other = await placeOrder(shop);
    await shop.db.raw(
      `insert into orders (id, service_id, customer_name, customer_email, payment_method, amount)
       select ?, service_id, customer_name, customer_email, payment_method, amount from orders where id = ?`,
      [orderId, other.orderId],
    );

    await untilStatus(shop, orderId, 'paid', 25_000);
  });

  test('an event type that is not handled is stored and answered 200', async () => {
    const unknown = event('customer.created', { id: 'cus_1', object: 'customer' });
    expect((await deliver(shop, unknown)).status).toBe(200);
    await untilHandled(unknown.id);
    expect(await stored(unknown.id)).toMatchObject([{ status: 'ignored', type: 'customer.created' }]);
  });

  test('an event of another application on the same account is stored as ignored', async () => {
    const foreign = event('payment_intent.succeeded', {
      id: 'pi_foreign',
      status: 'succeeded',
      amount_received: 1,
      currency: 'usd',
      metadata: { app: 'somebody-else', orderId: '42' },
    });
    await deliver(shop, foreign);
    await untilHandled(foreign.id);
    expect(await stored(foreign.id)).toMatchObject([{ status: 'ignored' }]);
    const [job] = await jobsOf(foreign.id);
    expect(Object.keys(job.payload)).toEqual(['eventId']);
  });
});

describe('what differs is never paid', () => {
  test.each([
    ['amount', { amount_received: 299_899 }],
    ['currency', { currency: 'eur' }],
  ])('a capture of another %s puts the order in review and alerts staff', async (_what, intent) => {
    const order = await placeOrder(shop);
    await deliver(shop, succeededEvent(order, intent));
    await untilStatus(shop, order.orderId, 'review');
    const mail = await waitFor('an alert', async () => (await mailsAbout(shop, order.orderId))[0]);
    expect(mail.to).toEqual([shop.config.mail.staff]);
  });

  test('the alert states an amount in yen as it was paid', async () => {
    const order = await placeOrder(shop);
    await deliver(shop, succeededEvent(order, { currency: 'jpy', amount_received: 2_999 }));
    await untilStatus(shop, order.orderId, 'review');
    const mail = await waitFor('an alert', async () => (await mailsAbout(shop, order.orderId))[0]);
    expect(mail.text).toContain('2,999.00 JPY');
  });

  test('a payment whose metadata names another order pays neither, and alerts staff', async () => {
    const [mine, other] = [await placeOrder(shop), await placeOrder(shop)];
    const forged = succeededEvent({ ...other, paymentIntentId: mine.paymentIntentId });
    await deliver(shop, forged);
    await untilStatus(shop, mine.orderId, 'review');
    expect((await readOrder(shop, other.orderId)).status).toBe('pending');
    await waitFor('an alert', async () => (await mailsAbout(shop, mine.orderId))[0]);
  });

  test('a payment that the order’s row has lost pays it all the same', async () => {
    const order = await placeOrder(shop);
    const lost = succeededEvent({ ...order, paymentIntentId: 'pi_unknown' });
    await deliver(shop, lost);
    await untilStatus(shop, order.orderId, 'paid');
    expect(await stored(lost.id)).toMatchObject([{ status: 'processed', order_id: order.orderId }]);
  });
});

describe('what is not verified is refused and stores nothing', () => {
  const now = () => Math.floor(Date.now() / 1000);

  test.each<[string, (body: string) => Record<string, string>]>([
    ['no signature', () => ({})],
    ['another secret', (body) => ({ 'stripe-signature': sign(body, { secret: 'whsec_wrong' }) })],
    ['an empty secret', (body) => ({ 'stripe-signature': sign(body, { secret: ' ' }) })],
    ['an old timestamp', (body) => ({ 'stripe-signature': sign(body, { timestamp: now() - 301 }) })],
    ['a timestamp in the future', (body) => ({ 'stripe-signature': sign(body, { timestamp: now() + 310 }) })],
    ['a signature of another body', () => ({ 'stripe-signature': sign('{}') })],
    ['nonsense', () => ({ 'stripe-signature': 'v1=nonsense' })],
  ])('%s: 400', async (_name, headers) => {
    const order = await placeOrder(shop);
    const success = succeededEvent(order);
    const body = JSON.stringify(success);
    const answer = await deliverRaw(shop, body, headers(body));
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ message: expect.any(String) });
    expect(await stored(success.id)).toEqual([]);
  });

  test.each([
    ['nonsense', 'v1=nonsense'],
    ['no timestamp', `v1=${'a'.repeat(64)}`],
    ['a digest of another length', 't=1700000000,v1=aa'],
    ['an old timestamp', `t=1700000000,v1=${'a'.repeat(64)}`],
  ])('a header with %s is refused before reading the body', async (_what, signature) => {
    const { hostname, port } = new URL(shop.url);
    const headers = {
      'content-type': 'application/json',
      'content-length': '100',
      'stripe-signature': signature,
    };
    const call = http.request({ hostname, port, path: '/api/webhooks/stripe', method: 'POST', headers });
    call.on('error', () => {});
    call.flushHeaders();
    const [answer] = (await once(call, 'response')) as [http.IncomingMessage];
    expect(answer.statusCode).toBe(400);
    expect(answer.headers.connection).toBe('close');
    call.destroy();
  });

  test('the signature covers the bytes, also if they are not UTF-8', async () => {
    const bytes = Buffer.from('{"id":"evt_bytes","type":"x\xff"}', 'latin1');
    const t = now();
    const signed = Buffer.concat([Buffer.from(`${t}.`), bytes]);
    const digest = createHmac('sha256', 'whsec_sandbox').update(signed).digest('hex');
    const answer = await deliverRaw(shop, bytes, { 'stripe-signature': `t=${t},v1=${digest}` });
    expect(await answer.json()).toMatchObject({ message: 'The body is not an event of stripe' });
  });

  test('the same JSON in another serialization fails the signature: 400', async () => {
    const body = JSON.stringify(succeededEvent(await placeOrder(shop)));
    const rewritten = JSON.stringify(JSON.parse(body), null, 1);
    expect((await deliverRaw(shop, rewritten, { 'stripe-signature': sign(body) })).status).toBe(400);
  });

  test('a signed body that is not an event is 400', async () => {
    expect((await deliver(shop, '{"hello":"world"}')).status).toBe(400);
    expect((await deliver(shop, 'not json')).status).toBe(400);
  });

  test('while a secret is being rotated both are accepted', async () => {
    const order = await placeOrder(shop);
    expect((await deliver(shop, succeededEvent(order), { secret: 'whsec_next' })).status).toBe(200);
    await untilStatus(shop, order.orderId, 'paid');
  });

  test('more than 256 kB is 413, and a compressed body 415', async () => {
    const big = JSON.stringify({ id: 'evt_big', type: 'x', padding: 'x'.repeat(300_000) });
    expect((await deliver(shop, big)).status).toBe(413);
    const packed = await deliverRaw(shop, gzipSync(big), {
      'stripe-signature': sign(big),
      'content-encoding': 'gzip',
    });
    expect(packed.status).toBe(415);
  });

  test('another content type is 415, another method 405', async () => {
    const body = JSON.stringify(succeededEvent(await placeOrder(shop)));
    const headers = { 'stripe-signature': sign(body), 'content-type': 'text/plain' };
    expect((await deliverRaw(shop, body, headers)).status).toBe(415);
    const get = await fetch(`${shop.url}/api/webhooks/stripe`);
    expect(get.status).toBe(405);
    expect(get.headers.get('allow')).toBe('POST');
  });

  test('an event with escapes that jsonb refuses is stored verbatim', async () => {
    const odd = event('customer.created', { name: 'a\u0000b\ud800c' });
    expect((await deliver(shop, odd)).status).toBe(200);
    await untilHandled(odd.id);
  });
});

test('without a secret the endpoint is off, and readiness reports it', async () => {
  const off = await startShop({ env: { STRIPE_WEBHOOK_SECRET: '' } });
  try {
    expect((await deliver(off, event('customer.created', {}))).status).toBe(404);
    const ready = (await (await fetch(`${off.url}/readyz`)).json()) as { checks: Record<string, string> };
    expect(ready.checks.stripeWebhook).toBe('off');
  } finally {
    await off.close();
  }
});

function stored(eventId: string) {
  return shop.db('payment_events').where({ event_id: eventId });
}

async function rowIdOf(eventId: string): Promise<string> {
  return (await stored(eventId))[0]?.id;
}

async function jobsOf(eventId: string) {
  return shop.db('outbox').whereRaw(`payload->>'eventId' = ?`, [await rowIdOf(eventId)]);
}

function untilHandled(eventId: string) {
  return waitFor(`event ${eventId} is handled`, async () => {
    const [row] = await stored(eventId);
    return row && row.status !== 'received';
  });
}
