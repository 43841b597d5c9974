import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { webReadiness } from '../api/health.ts';
import { createDatabase } from '../db/database.ts';
import { observeShop } from '../orders/observe-shop.ts';
import { mailsAbout, pay, placeOrder, post, untilStatus } from '../testing/buyer.ts';
import { request } from '../testing/request.ts';
import { type Shop, startShop } from '../testing/shop.ts';
import { deliver, deliverRaw, succeededEvent } from '../testing/stripe-events.ts';
import { waitFor } from '../testing/wait-for.ts';
import { registry } from './metrics.ts';
import { type OperatorServer, startOperatorServer } from './operator-server.ts';

const token = 'token-of-the-operators';
const retiring = 'token-that-goes-soon';
const bearer = { authorization: `Bearer ${token}` };

let shop: Shop;
let operators: OperatorServer;
beforeAll(async () => {
  // Other files of this test process counted, too.
  registry.resetMetrics();
  shop = await startShop();
  shop.startWorker();
  operators = await start();
});
afterAll(async () => {
  await operators.close();
  await shop.close();
});

describe('access', () => {
  test.each([
    ['no token', {}, 401],
    ['a wrong token', { authorization: 'Bearer wrong' }, 401],
    ['a token that begins like the right one', { authorization: `Bearer ${token}x` }, 401],
    ['the token as bearer', bearer, 200],
    ['the token that is being rotated out', { authorization: `Bearer ${retiring}` }, 200],
    ['the token as a password, as browsers send it', basic(`operator:${token}`), 200],
    ['the token as a user', basic(`${token}:`), 401],
  ])('%s', async (_who, headers, status) => {
    for (const path of ['/metrics', '/queues', '/queues/api/queues']) {
      const answer = await get(path, headers);
      expect(answer.status, path).toBe(status);
      if (status === 401) expect(answer.headers.get('www-authenticate')).toContain('Basic');
    }
  });

  test('the platform asks for health without a token', async () => {
    expect((await get('/healthz', {})).status).toBe(200);
    expect(await (await get('/readyz', {})).json()).toMatchObject({ status: 'ready', missing: [] });
  });
});

test('wrong tokens are slowed down to ten a minute', async () => {
  const slowed = await start();
  const ask = async (credential: string) => {
    const headers = { authorization: `Bearer ${credential}` };
    return request(`http://127.0.0.1:${slowed.port}/metrics`, { headers });
  };
  for (let n = 0; n < 10; n++) expect((await ask(`guess-${n}`)).status).toBe(401);
  const refused = await ask(token);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await request(`http://127.0.0.1:${slowed.port}/healthz`)).status).toBe(200);
  await slowed.close();
});

test('without a token only localhost is served', async () => {
  const open = await start(shop.db, []);
  const ask = (host: string) => request(`http://127.0.0.1:${open.port}/metrics`, { headers: { host } });
  expect((await ask(`localhost:${open.port}`)).status).toBe(200);
  expect((await ask('rebound.example')).status).toBe(421);
  await open.close();
});

describe('/metrics', () => {
  test('exports requests, webhooks, moves, mails, provider calls, queues, outbox, pool and process', async () => {
    const order = await placeOrder(shop);
    await pay(shop, order);
    await untilStatus(shop, order.orderId, 'paid');
    await waitFor('both mails', async () => (await mailsAbout(shop, order.orderId)).length === 2);
    const event = succeededEvent(await placeOrder(shop));
    for (const _ of [1, 2]) await deliver(shop, event);
    await deliverRaw(shop, '{}', { 'stripe-signature': 'forged' });
    await post(shop, '/api/no-such-call', {});

    const lines = [
      /^querywright_http_request_duration_seconds_count\{method="POST",route="\/api\/create-payment-intent",status="200"\} \d/m,
      /^querywright_http_request_duration_seconds_count\{method="GET",route="\/api\/orders\/:orderId",status="200"\} \d/m,
      /^querywright_http_request_duration_seconds_count\{method="POST",route="unknown",status="404"\} 1$/m,
      /^querywright_webhooks_total\{provider="stripe",result="stored"\} \d/m,
      /^querywright_webhooks_total\{provider="stripe",result="repeated"\} 1$/m,
      /^querywright_webhooks_total\{provider="stripe",result="refused"\} 1$/m,
      /^querywright_order_moves_total\{from="pending",to="paid",cause="webhook"\} \d/m,
      /^querywright_job_duration_seconds_count\{job_name="apply-payment-event",result="done"\} \d/m,
      /^querywright_emails_total\{kind="order_confirmation",result="sent"\} \d/m,
      /^querywright_provider_call_duration_seconds_count\{provider="stripe",operation="POST payment_intents",result="2xx"\} 2$/m,
      /^querywright_provider_call_duration_seconds_count\{provider="smtp",operation="send",result="ok"\} \d/m,
      /^querywright_dependency_up\{dependency="database"\} 1$/m,
      /^querywright_dependency_up\{dependency="queue"\} 1$/m,
      /^querywright_queue_jobs\{queue="payments",state="waiting"\} \d/m,
      /^querywright_queue_oldest_waiting_seconds\{queue="emails"\} \d/m,
      /^querywright_database_pool_connections\{state="waiting"\} 0$/m,
      /^querywright_process_resident_memory_bytes \d/m,
      /^querywright_nodejs_eventloop_lag_seconds \d/m,
    ];
    // An e-mail is counted once it is recorded, later than it arrives.
    let text = '';
    const missing = async () => {
      text = await metrics();
      return lines.filter((line) => !line.test(text));
    };
    await expect.poll(missing).toEqual([]);
    expect(text).not.toContain(order.orderId);
    expect(text).not.toContain(order.paymentIntentId);
    expect(text).not.toContain('ada@');
  }, 60_000);

  test('shows how long work has waited, and dead letters', async () => {
    const row = { job: 'send-email', queue: 'emails', payload: '{}', due_at: new Date(Date.now() + 600_000) };
    await shop.db('outbox').insert([
      { ...row, created_at: new Date(Date.now() - 600_000) },
      { ...row, status: 'dead' },
    ]);
    const text = await metrics();
    expect(text).toContain('querywright_outbox_rows{job_name="send-email",state="dead"} 1');
    expect(text).toMatch(/^querywright_outbox_rows\{job_name="send-email",state="open"\} [1-9]/m);
    const [, age] =
      /^querywright_outbox_oldest_open_seconds\{job_name="send-email"\} (\S+)$/m.exec(text) ?? [];
    expect(Number(age)).toBeGreaterThanOrEqual(600);
    expect(Number(age)).toBeLessThan(660);
    await shop.db('outbox').whereRaw(`payload = '{}'`).delete();
  });

  test('answers while the database is down, and reports it', async () => {
    const away = createDatabase('postgres://localhost:9/none');
    const other = await start(away);
    const answer = await request(`http://127.0.0.1:${other.port}/metrics`, { headers: bearer });
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(text).toContain('querywright_dependency_up{dependency="database"} 0');
    for (const name of ['outbox_rows{', 'orders{', 'orders_unconfirmed ', 'emails_refused '])
      expect(text).not.toContain(`\nquerywright_${name}`);
    const ready = await request(`http://127.0.0.1:${other.port}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ status: 'not ready', missing: ['database'] });
    await other.close();
    await away.destroy();
  });
});

describe('/queues', () => {
  test('shows both queues with their jobs', async () => {
    const later = { jobId: 'later', delay: 60_000 };
    await shop.outbox.queue('emails').addBulk([{ name: 'send-email', data: {}, opts: later }]);
    const page = await get('/queues', bearer);
    expect(page.headers.get('content-type')).toContain('text/html');
    const { queues } = await (await get('/queues/api/queues', bearer)).json();
    expect(queues.map((queue: { name: string }) => queue.name).sort()).toEqual(['emails', 'payments']);
    for (const queue of queues) expect(queue.readOnlyMode).toBe(true);
    const emails = queues.find((queue: { name: string }) => queue.name === 'emails');
    expect(emails.counts).toMatchObject({ delayed: 1, completed: 0 });
  });

  test('changes nothing, with or without the token', async () => {
    const answer = await request(`http://127.0.0.1:${operators.port}/queues/api/queues/payments/pause`, {
      method: 'PUT',
      headers: bearer,
    });
    expect(answer.status).toBe(405);
  });
});

test('a port in use does not end the process', async () => {
  const second = await startOperatorServer(parts(), operators.port);
  expect(second).toBeUndefined();
});

async function start(db = shop.db, tokens = [token, retiring]): Promise<OperatorServer> {
  const server = await startOperatorServer(parts(db, tokens), 0);
  if (!server) throw new Error('The operators’ port is not served');
  return server;
}

function parts(db = shop.db, tokens = [token, retiring]) {
  const { outbox, api } = shop;
  const metrics = { webPort: 0, workerPort: 0, tokens };
  return {
    config: { metrics },
    processName: 'web' as const,
    db,
    outbox,
    logger: api.logger,
    readiness: () => webReadiness({ ...api, db }),
    observe: () => observeShop({ ...api, db }),
  };
}

function get(path: string, headers: Record<string, string>) {
  return request(`http://127.0.0.1:${operators.port}${path}`, { headers });
}

async function metrics(): Promise<string> {
  return (await get('/metrics', bearer)).text();
}

function basic(credentials: string) {
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}
