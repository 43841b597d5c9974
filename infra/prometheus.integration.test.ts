import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { observeShop } from '../orders/observe-shop.ts';
import { pay, placeOrder, untilStatus } from '../testing/buyer.ts';
import { constant, type Labels, nameOf, type Series, stored, testRules } from '../testing/prometheus.ts';
import { type Shop, startShop } from '../testing/shop.ts';
import { collectProcessMetrics, registry } from './metrics.ts';
import { refreshGauges } from './metrics-gauges.ts';

// Runs docs/alerts.yml and the expressions of the Grafana dashboard in Prometheus' own engine, on the series that a running
// shop exports.

const rules = path.resolve(import.meta.dirname, '../docs/alerts.yml');
const dashboardFile = new URL('../deploy/grafana/querywright.json', import.meta.url);

/** Series as in a scrape, chosen by name and labels, with other labels or values. One sample a minute. */
interface Change {
  name: string;
  labels?: Labels;
  relabel?: Labels;
  values: string;
}
interface Case {
  alert: string;
  fires: Change[];
  stays: Change[];
  minutes?: number;
}

const gauge = (name: string, labels: Labels, fires: string, stays: string) => ({
  fires: [{ name: `querywright_${name}`, labels, values: fires }],
  stays: [{ name: `querywright_${name}`, labels, values: stays }],
});
const orders = { route: '/api/create-payment-intent', status: '200' };
const requests = 'querywright_http_request_duration_seconds_count';
const webhooks = 'querywright_webhooks_total';
const calls = 'querywright_provider_call_duration_seconds_count';

const cases: Case[] = [
  {
    alert: 'ProcessDown',
    fires: [{ name: 'up', values: '0x120' }],
    stays: [{ name: 'up', values: '1x28 0 1x90' }],
  },
  { alert: 'WebMissing', ...gauge('process_info', { process: 'web' }, '_x120', '1x120') },
  { alert: 'WorkerMissing', ...gauge('process_info', { process: 'worker' }, '_x120', '1x120') },
  { alert: 'DependencyDown', ...gauge('dependency_up', { dependency: 'queue' }, '0x120', '1x120') },
  { alert: 'OutboxStuck', ...gauge('outbox_rows', { state: 'overdue' }, '1x120', '0x29 1 0x90') },
  {
    alert: 'SettlementLate',
    ...gauge('outbox_oldest_open_seconds', { job_name: 'apply-payment-event' }, '301x120', '300x120'),
  },
  {
    alert: 'MailLate',
    ...gauge('outbox_oldest_open_seconds', { job_name: 'send-email' }, '1801x120', '1800x120'),
  },
  { alert: 'JobsDeadLettered', ...gauge('outbox_rows', { state: 'dead' }, '1x120', '0x120') },
  { alert: 'QueueWaiting', ...gauge('queue_oldest_waiting_seconds', {}, '61x120', '60x120') },
  {
    alert: 'WebhooksRefused',
    ...gauge('webhooks_total', { provider: 'paypal', result: 'refused' }, '0x20 8x100', '0x20 3x100'),
  },
  {
    alert: 'WebhooksFailing',
    ...gauge('webhooks_total', { provider: 'stripe', result: 'failed' }, '0+1x120', '0x120'),
  },
  {
    alert: 'WebhooksMissing',
    ...gauge('order_moves_total', { from: 'pending', cause: 'reconciliation' }, '0x20 1x100', '0x120'),
  },
  {
    alert: 'WebhooksSilent',
    minutes: 90,
    fires: [
      { name: requests, labels: orders, values: '0+1x120' },
      { name: webhooks, labels: { provider: 'stripe', result: 'stored' }, values: '1x120' },
    ],
    stays: [
      { name: requests, labels: orders, values: '0+1x120' },
      { name: webhooks, labels: { provider: 'stripe', result: 'stored' }, values: '0+1x120' },
    ],
  },
  {
    alert: 'PaidWithoutWebhook',
    ...gauge('orders_paid_without_webhook', { provider: 'paypal' }, '1x120', '0x120'),
  },
  { alert: 'OrderInReview', ...gauge('orders', { status: 'review' }, '1x120', '0x120') },
  { alert: 'PaymentHeld', ...gauge('orders', { status: 'held' }, '1x120', '0x120') },
  { alert: 'DisputeOpen', ...gauge('orders', { status: 'disputed' }, '1x120', '0x120') },
  { alert: 'RefundSentBack', ...gauge('failed_transfers', { kind: 'refund' }, '1x120', '0x120') },
  { alert: 'PayoutFailed', ...gauge('failed_transfers', { kind: 'payout' }, '1x120', '0x120') },
  {
    alert: 'EvidenceDue',
    ...gauge('dispute_evidence_due_timestamp_seconds', {}, '200000x120', '300000x120'),
  },
  {
    alert: 'ProviderFailing',
    fires: [
      { name: calls, labels: { provider: 'stripe' }, relabel: { result: '5xx' }, values: '0+1x120' },
      { name: calls, labels: { provider: 'stripe', result: '2xx' }, values: '0+3x120' },
    ],
    stays: [
      { name: calls, labels: { provider: 'stripe' }, relabel: { result: '5xx' }, values: '0+1x120' },
      { name: calls, labels: { provider: 'stripe', result: '2xx' }, values: '0+9x120' },
    ],
  },
  {
    alert: 'MailFailing',
    ...gauge('emails_total', { kind: 'order_confirmation', result: 'failed' }, '0+1x120', '0x20 2x100'),
  },
  { alert: 'MailMissing', ...gauge('orders_unconfirmed', {}, '3x120', '0x120') },
  { alert: 'MailRefused', ...gauge('emails_refused', {}, '1x120', '0x120') },
  {
    alert: 'MessageUnanswered',
    ...gauge('oldest_unanswered_message_seconds', {}, '86401x120', '86400x120'),
  },
  {
    alert: 'ErrorsServed',
    fires: [
      { name: requests, labels: orders, values: '0+97x120' },
      { name: requests, labels: orders, relabel: { status: '503' }, values: '0+3x120' },
    ],
    stays: [
      { name: requests, labels: orders, values: '0+300x120' },
      { name: requests, labels: orders, relabel: { status: '503' }, values: '0+1x120' },
    ],
  },
  {
    alert: 'AnswersSlow',
    fires: [slow('+Inf'), { ...slow('10'), values: '0x120' }],
    stays: [slow('+Inf'), ...['1', '2.5', '5', '10'].map(slow)],
  },
  { alert: 'PoolExhausted', ...gauge('database_pool_connections', { state: 'waiting' }, '1x120', '0x120') },
  { alert: 'EventLoopBlocked', ...gauge('nodejs_eventloop_lag_p99_seconds', {}, '0.3x120', '0.2x120') },
];

let shop: Shop;
let scraped: Series[];
beforeAll(async () => {
  shop = await startShop();
  shop.startWorker();
  collectProcessMetrics('web');
  collectProcessMetrics('worker');
  const order = await placeOrder(shop);
  await pay(shop, order);
  await untilStatus(shop, order.orderId, 'paid');
  const dispute = { outcome: 'open', evidenceDueAt: Date.now() + 86_400_000 };
  await shop
    .db('orders')
    .where({ id: order.orderId })
    .update({ status: 'disputed', payment_facts: JSON.stringify({ disputes: { dp_1: dispute } }) });
  await refreshGauges({ ...shop.workerParts, observe: () => observeShop(shop.workerParts) });
  scraped = stored(await registry.metrics());
});
afterAll(() => shop.close());

test('each alert has a test case, a summary and a link to its runbook', () => {
  const text = readFileSync(rules, 'utf8');
  const alerts = [...text.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
  expect(cases.map(({ alert }) => alert)).toEqual(alerts);
  expect(text.match(/annotations:\n {10}summary: "[^"]+"\n/g)).toHaveLength(alerts.length);
  const runbooks = [...text.matchAll(/\n {10}runbook: docs\/operations\.md#([a-z]+)\n/g)].map(([, id]) => id);
  expect(runbooks).toEqual(alerts.map((name) => name.toLowerCase()));
  const manual = readFileSync(path.resolve(rules, '../operations.md'), 'utf8');
  expect(alerts.filter((name) => !manual.includes(`<a id="${name.toLowerCase()}"></a>${name}`))).toEqual([]);
});

describe('in Prometheus', () => {
  // One start of promtool for all of them; it names what fails, but not in the words of a test.
  let together: string | undefined;
  test.each(cases)('$alert fires when it should, and not before', (tested) => {
    together ??= testRules([rules], cases.flatMap(testsOf));
    const outcome = together.includes('SUCCESS') ? together : testRules([rules], testsOf(tested));
    expect(outcome).toContain('SUCCESS');
  });

  test('an idle shop fires no alert', () => {
    const idle = scraped
      .filter(({ name, labels }) => !name.includes('dispute') && labels.status !== 'disputed')
      // Other tests run beside the shop in its process.
      .map((series) => (series.name.includes('eventloop_lag') ? { ...series, value: '0.02' } : series))
      .map(constant);
    const none = { expr: 'ALERTS{alertstate="firing"}', eval_time: '90m', exp_samples: [] };
    const tests = [{ interval: '1m', input_series: idle, promql_expr_test: [none] }];
    expect(testRules([rules], tests)).toContain('SUCCESS');
  });

  test('each dashboard expression returns data from a running shop', () => {
    const finds = dashboard()
      .panels.flatMap(expressionsOf)
      .map((expression) => ({
        expr: `count(${inRules(expression)}) > bool 0`,
        eval_time: '30m',
        exp_samples: [{ labels: '{}', value: 1 }],
      }));
    expect(finds.length).toBeGreaterThan(20);
    const busy = scraped.map((series) =>
      isCounter(series) ? { ...constant(series), values: '0+1x120' } : constant(series),
    );
    const tests = [{ interval: '1m', input_series: busy, promql_expr_test: finds }];
    expect(testRules([], tests)).toContain('SUCCESS');
  });
});

test('the dashboard panels have unique ids, do not overlap, and have a data source', () => {
  const { panels: all, templating } = dashboard();
  const source = `\${${templating.list[0]?.name}}`;
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  const cells = all.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)}:${y + Math.floor(cell / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(all.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
  const shown = all.filter(({ type }) => type !== 'row');
  expect(shown.filter((panel) => panel.datasource?.uid !== source)).toEqual([]);
});

test('the dashboard shows every metric of the product', () => {
  const text = readFileSync(dashboardFile, 'utf8');
  const ours = registry
    .getMetricsAsArray()
    .filter(({ name }) => !/^querywright_(process|nodejs)_/.test(name));
  expect(ours.filter(({ name }) => !text.includes(name)).map(({ name }) => name)).toEqual([]);
});

function isCounter({ name }: Series): boolean {
  return /_(total|count|sum|bucket)$/.test(name);
}

interface Panel {
  id: number;
  type: string;
  datasource?: { uid: string };
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string }[];
}

function dashboard(): { panels: Panel[]; templating: { list: { name: string }[] } } {
  return JSON.parse(readFileSync(dashboardFile, 'utf8'));
}

function expressionsOf({ targets = [] }: Panel): string[] {
  return targets.map(({ expr }) => expr);
}

/** With values for what Grafana fills in. */
function inRules(expression: string): string {
  return expression
    .replaceAll('$__rate_interval', '5m')
    .replaceAll('$__range', '1h')
    .replaceAll('$instance', '.+');
}

/** The alert fires with some changes, and does not with others. */
function testsOf({ alert, fires, stays, minutes = 30 }: Case): object[] {
  const at = (changes: Change[], samples: object[]) => ({
    interval: '1m',
    input_series: changes.flatMap(inputOf),
    promql_expr_test: [
      {
        expr: `count(ALERTS{alertname="${alert}", alertstate="firing"}) > bool 0`,
        eval_time: `${minutes}m`,
        exp_samples: samples,
      },
    ],
  });
  return [at(fires, [{ labels: '{}', value: 1 }]), at(stays, [])];
}

function slow(le: string): Change {
  const labels = { route: '/api/create-payment-intent', le };
  return { name: 'querywright_http_request_duration_seconds_bucket', labels, values: '0+60x120' };
}

/** The series of a change; fails if the shop exports none like it. */
function inputOf({ name, labels = {}, relabel = {}, values }: Change) {
  const found = scraped.filter(
    (series) =>
      series.name === name &&
      Object.entries(labels).every(([label, value]) => series.labels[label] === value),
  );
  expect(found, `${name} ${JSON.stringify(labels)}`).not.toEqual([]);
  return found.slice(0, 1).map((series) => ({
    series: nameOf(name, { ...series.labels, ...relabel }),
    values,
  }));
}
