/** @module-tag long */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@querywright/sandbox/listen';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditOrder, mailsAbout, pay, placeOrder, post, untilStatus } from '../testing/buyer.ts';
import { type CollectedSpan, type Collector, startCollector } from '../testing/collector.ts';
import type { Process } from '../testing/processes.ts';
import { request } from '../testing/request.ts';
import { type Shop, startShop } from '../testing/shop.ts';
import { startBoth, startWebFor } from '../testing/shop-processes.ts';
import { waitFor } from '../testing/wait-for.ts';

// The built web and worker processes, and a collector that receives their traces.

const browser = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8) };
const traceparent = `00-${browser.traceId}-${browser.spanId}-01`;
const canary = { name: 'Kanarienvogel Zitronengelb', email: 'zitronengelb@canary.example' };

let shop: Shop;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.close());

describe('with a collector', () => {
  let collector: Collector;
  let web: Process & { url: string };
  let worker: Process;
  beforeAll(async () => {
    collector = await startCollector();
    ({ web, worker } = await startBoth(shop, tracesTo(collector.url)));
  }, 60_000);
  afterAll(async () => {
    await Promise.all([web.stop(), worker.stop()]);
    await collector.close();
  });

  test('one trace spans the browser’s call, web, outbox, worker and both mails', async () => {
    shop.sandbox.faults.add({ target: 'webhooks', mode: 'drop' });
    const person = { customerName: canary.name, customerEmail: canary.email };
    const created = await call('/api/create-payment-intent', { ...auditOrder, ...person });
    const { orderId, clientSecret } = await created.json();
    const order = { orderId, clientSecret, paymentIntentId: clientSecret.split('_secret_')[0] };
    await pay(shop, order);
    await call('/api/confirm-payment', { orderId, paymentIntentId: order.paymentIntentId });
    await waitFor('both mails', async () => (await mailsAbout(shop, orderId)).length === 2);
    const spans = await untilTraced(browser.traceId, 'smtp send', 2);

    const paths = spans.map((span) => collector.pathOf(span).join(' < '));
    const settled =
      'querywright-worker: job apply-payment-event < querywright-web: POST /api/confirm-payment';
    const mailed = `querywright-worker: smtp send < querywright-worker: job send-email < ${settled}`;
    expect(paths.filter((each) => each === mailed)).toHaveLength(2);
    expect(paths).toContain(
      'querywright-web: stripe POST payment_intents < querywright-web: POST /api/create-payment-intent',
    );
    expect(paths).toContain(
      'querywright-web: stripe GET payment_intents/:id < querywright-web: POST /api/confirm-payment',
    );
    for (const span of spans.filter(({ name }) => name.startsWith('POST /')))
      expect(span.parentSpanId).toBe(browser.spanId);
    const about = spans.filter(({ attributes }) => attributes['querywright.order.id'] === orderId);
    expect(about.map(({ name }) => name).sort()).toEqual([
      'POST /api/confirm-payment',
      'POST /api/create-payment-intent',
      'job apply-payment-event',
    ]);
  });

  test('the log lines of a trace name it, and the request as before', async () => {
    const lines = [web, worker].flatMap((running) => linesOf(running));
    const ofTrace = lines.filter(({ traceId }) => traceId === browser.traceId);
    expect(ofTrace.map(({ msg }) => msg)).toEqual(
      expect.arrayContaining(['request completed', 'order moved', 'e-mail sent']),
    );
    // Without an X-Request-Id the request id is the trace id.
    expect(ofTrace.filter(({ requestId }) => requestId !== browser.traceId)).toEqual([]);
  });

  test('a webhook starts a new trace, linked to the first by the order id and continued by its retries', async () => {
    shop.sandbox.faults.clear();
    shop.sandbox.faults.add({ target: 'smtp', mode: 'error', code: 451, count: 1 });
    const order = await placeOrder(web);
    await pay(shop, order);
    await untilStatus(web, order.orderId, 'paid');
    const job = await waitFor('its job is recorded', () =>
      collector.spans.find(
        ({ name, attributes }) =>
          name === 'job apply-payment-event' && attributes['querywright.order.id'] === order.orderId,
      ),
    );
    const spans = await untilTraced(job.traceId, 'smtp send', 3);
    const mails = spans.filter(({ name }) => name === 'job send-email');
    expect(mails.map(({ attributes }) => attributes['querywright.result']).sort()).toEqual([
      'done',
      'done',
      'failed',
    ]);
    expect(mails.map(({ parentSpanId }) => parentSpanId)).toEqual(mails.map(() => job.spanId));
    const root = spans.find(({ parentSpanId }) => !parentSpanId);
    expect(root?.name).toBe('POST /api/webhooks/stripe');
    expect(collector.pathOf(job)).toEqual([
      'querywright-worker: job apply-payment-event',
      'querywright-web: POST /api/webhooks/stripe',
    ]);
  });

  test('spans contain no personal data and no secrets', async () => {
    const person = { customerName: canary.name, customerEmail: canary.email };
    shop.sandbox.faults.add({ target: 'smtp', mode: 'error', code: 550, match: canary.email, count: 1 });
    const declined = await placeOrder(web, person);
    await pay(shop, declined, 'pm_card_chargeDeclined');
    await post(web, '/api/contact', { ...canary, message: `Call ${canary.name}` });
    await post(web, '/api/newsletter/subscribe', { email: canary.email });
    await request(`${web.url}/api/services?email=${encodeURIComponent(canary.email)}`);
    await request(`${web.url}/api/${encodeURIComponent(canary.email)}`);
    await post(web, `/newsletter/confirm?token=${canary.email}`, {});
    await waitFor('a mail is refused', () => shop.db('emails').where({ status: 'refused' }).first('id'));
    shop.sandbox.faults.add({ target: 'stripe', mode: 'error', count: 6 });
    await post(
      web,
      '/api/create-payment-intent',
      { ...auditOrder, ...person },
      { 'idempotency-key': randomUUID() },
    );
    shop.sandbox.faults.clear();
    await waitFor('the failures are recorded', () =>
      ['stripe POST payment_intents', 'smtp send', 'POST /api/contact'].every((name) =>
        collector.spans.some(
          (span) => span.name === name && (span.attributes['error.type'] || span.name.includes('contact')),
        ),
      ),
    );

    const sent = collector.received();
    for (const secret of [
      ...Object.values(canary),
      encodeURIComponent(canary.email),
      'Kanarienvogel',
      'canary.example',
      declined.clientSecret,
      auditOrder.customerEmail,
      auditOrder.customerName,
      shop.config.stripe.secretKey,
      '127.0.0.1',
    ])
      expect(sent).not.toContain(secret);
  });

  test('pages, files and health checks are not recorded', async () => {
    await request(`${web.url}/`);
    await request(`${web.url}/readyz`);
    const before = collector.spans.length;
    await request(`${web.url}/api/services`);
    await waitFor('the call is recorded', () =>
      collector.spans.slice(before).some(({ name }) => name === 'GET /api/services'),
    );
    expect(collector.spans.filter(({ name }) => / site$|health|ready/.test(name))).toEqual([]);
  });

  function call(path_: string, body: object) {
    return post(web, path_, body, { traceparent, 'idempotency-key': randomUUID() });
  }

  async function untilTraced(traceId: string, name: string, count: number): Promise<CollectedSpan[]> {
    const ofTrace = () => collector.spans.filter((span) => span.traceId === traceId);
    await waitFor(
      `${count} spans ${name}`,
      () => ofTrace().filter((span) => span.name === name).length >= count,
    );
    await waitFor('no parent is missing', () =>
      ofTrace().every(
        ({ parentSpanId }) =>
          !parentSpanId ||
          parentSpanId === browser.spanId ||
          ofTrace().some(({ spanId }) => spanId === parentSpanId),
      ),
    );
    return ofTrace();
  }
});

describe('a collector', () => {
  test('refusing connections causes one warning and delays no call', async () => {
    const env = { ...tracesTo(`http://127.0.0.1:${await freePort()}`), OTEL_EXPORTER_OTLP_TIMEOUT: '500' };
    const running = await startWebFor(shop, env);
    const warnings = () => linesOf(running).filter(({ msg }) => msg.startsWith('exporting traces'));
    await request(`${running.url}/api/services`);
    await waitFor('the warning', () => warnings().length > 0);
    for (let n = 0; n < 20; n++) expect((await request(`${running.url}/api/services`)).status).toBe(200);
    // A process that does not end by itself is ended after 10 s, with another code.
    expect(await running.stop()).toBe(0);
    expect(warnings()).toHaveLength(1);
  });

  test('never answering does not keep a process from stopping', async () => {
    const silent = await startCollector({ answers: false });
    const running = await startWebFor(shop, tracesTo(silent.url));
    await request(`${running.url}/api/services`);
    expect(await running.stop()).toBe(0);
    await silent.close();
  });
});

describe('what a process loads', () => {
  let collector: Collector;
  beforeAll(async () => {
    collector = await startCollector();
  });
  afterAll(() => collector.close());

  test.each<[string, (url: string) => Record<string, string>]>([
    ['nothing of OpenTelemetry without its settings', () => ({})],
    ['nothing of it if it is disabled', (url) => ({ ...tracesTo(url), OTEL_SDK_DISABLED: 'true' })],
    ['nothing of it without an exporter', (url) => ({ ...tracesTo(url), OTEL_TRACES_EXPORTER: 'none' })],
  ])('%s', async (_what, env) => {
    const loaded = await loadedScripts(env(collector.url));
    expect(loaded.some((script) => script.endsWith('dist/api/main.js'))).toBe(true);
    expect(loaded.filter(isTracing)).toEqual([]);
    expect(collector.spans).toEqual([]);
  });

  test('OpenTelemetry if there is a collector, which gets the remaining spans on shutdown', async () => {
    const env = { ...tracesTo(collector.url), OTEL_BSP_SCHEDULE_DELAY: '600000', TRUST_PROXY: 'false' };
    const loaded = await loadedScripts(env);
    expect(loaded.filter(isTracing)).not.toEqual([]);
    const [span] = collector.spans;
    expect(span).toMatchObject({
      name: 'GET /api/services',
      attributes: { 'http.response.status_code': 200 },
    });
    // No proxy is trusted: the traceparent must be ignored.
    expect(span?.traceId).not.toBe(browser.traceId);
  });

  /** Of a web process that answered one call. V8 lists what it has loaded. */
  async function loadedScripts(env: Record<string, string>): Promise<string[]> {
    const folder = mkdtempSync(path.join(tmpdir(), 'querywright-loaded-'));
    try {
      const running = await startWebFor(shop, { ...env, NODE_V8_COVERAGE: folder });
      await request(`${running.url}/api/services`, { headers: { traceparent } });
      expect(await running.stop()).toBe(0);
      return readdirSync(folder).flatMap((file) => {
        const { result } = JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
        return result.map((script: { url: string }) => script.url);
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
});

/** prom-client loads the API for its exemplars. */
function isTracing(script: string): boolean {
  return /open-?telemetry(?!-api-)/.test(script);
}

function tracesTo(url: string): Record<string, string> {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  };
}

function linesOf(running: Process): { msg: string; traceId?: string; requestId?: string }[] {
  return running
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
}
