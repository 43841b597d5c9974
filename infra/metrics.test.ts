import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import './metrics-gauges.ts';
import { collectProcessMetrics, measureCall, registry } from './metrics.ts';

test('the documents name only existing metrics', () => {
  collectProcessMetrics('web');
  const known = registry.getMetricsAsArray().map(({ name }) => name);
  const text = ['docs/alerts.yml', 'docs/operations.md', 'deploy/grafana/querywright.json']
    .map((file) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'))
    .join('\n');
  const named = new Set(text.match(/querywright_\w+[a-z]/g));
  const unknown = [...named]
    .filter((name) => !/_(process|nodejs)$/.test(name))
    .filter((name) => !known.includes(name) && !known.includes(name.replace(/_(count|bucket|sum)$/, '')));
  expect(unknown).toEqual([]);
});

test('every metric is documented', () => {
  const text = readFileSync(new URL('../docs/operations.md', import.meta.url), 'utf8');
  const ours = registry
    .getMetricsAsArray()
    .filter(({ name }) => !/^querywright_(process|nodejs)_/.test(name));
  expect(ours.filter(({ name }) => !text.includes(name)).map(({ name }) => name)).toEqual([]);
});

test('a call is measured whatever its outcome', async () => {
  await measureCall(
    'stripe',
    'answered',
    async () => 503,
    (status) => status,
  );
  const refused = Object.assign(new Error('refused'), { statusCode: 422 });
  await expect(measureCall('paypal', 'refused', () => Promise.reject(refused))).rejects.toBe(refused);
  await expect(measureCall('smtp', 'cut', () => Promise.reject(new Error('cut')))).rejects.toThrow('cut');

  const text = await registry.metrics();
  for (const labels of [
    'provider="stripe",operation="answered",result="5xx"',
    'provider="paypal",operation="refused",result="4xx"',
    'provider="smtp",operation="cut",result="error"',
  ]) {
    expect(text).toContain(`querywright_provider_call_duration_seconds_count{${labels}} 1`);
  }
});
