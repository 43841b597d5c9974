import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Collector, startCollector } from '../testing/collector.ts';
import { createTracer } from './open-telemetry.ts';
import type { Tracer } from './tracer.ts';

const logger = { warn: () => {}, info: () => {} };
const remote = (flags: '00' | '01') => `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-${flags}`;

let collector: Collector;
let tracer: Tracer | undefined;
beforeEach(async () => {
  collector = await startCollector();
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
});
afterEach(async () => {
  await tracer?.shutdown();
  vi.unstubAllEnvs();
  await collector.close();
});

test('a trace that the caller did not sample is not recorded, nor are jobs that continue it', async () => {
  const tracing = await start();
  const call = tracing.open('call', { kind: 'server', traceparent: remote('00') });
  const carried = call?.run(() => tracing.active());
  expect(carried).toMatch(/^00-(ab){16}-[0-9a-f]{16}-00$/);
  tracing.open('job', { kind: 'consumer', traceparent: carried })?.end();
  call?.end();
  await tracing.shutdown();
  expect(collector.spans).toEqual([]);
});

test('a row without a valid trace starts a new one', async () => {
  const tracing = await start();
  const outer = tracing.open('other job', { kind: 'consumer' });
  outer?.run(() => {
    for (const traceparent of [null, 'broken']) tracing.open('job', { kind: 'consumer', traceparent })?.end();
  });
  await tracing.shutdown();
  expect(collector.spans.map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([
    ['job', undefined],
    ['job', undefined],
  ]);
});

test('a client span exists only inside a trace, as a child', async () => {
  const tracing = await start();
  expect(tracing.open('smtp send', { kind: 'client' })).toBeUndefined();
  const job = tracing.open('job', { kind: 'consumer', traceparent: remote('01') });
  job?.run(() => tracing.open('smtp send', { kind: 'client' })?.end());
  job?.end();
  await tracing.shutdown();
  expect(collector.spans.map((span) => collector.pathOf(span))).toEqual([
    ['querywright-worker: smtp send', 'querywright-worker: job'],
    ['querywright-worker: job'],
  ]);
});

test('the settings name the service and choose the sampler', async () => {
  vi.stubEnv('OTEL_SERVICE_NAME', 'shop');
  vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'team=payments');
  vi.stubEnv('OTEL_TRACES_SAMPLER', 'parentbased_always_off');
  const tracing = await start();
  tracing.open('of its own', { kind: 'server' })?.end();
  tracing.open('of a caller', { kind: 'server', traceparent: remote('01') })?.end();
  await tracing.shutdown();
  expect(collector.spans.map(({ name, service }) => [name, service])).toEqual([['of a caller', 'shop']]);
  expect(collector.received()).toContain('payments');
});

async function start(): Promise<Tracer> {
  const settings = { protocol: 'http/json', deployment: 'test', processName: 'worker', logger } as const;
  tracer = await createTracer(settings);
  return tracer;
}
