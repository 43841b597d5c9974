import { ROOT_CONTEXT } from '@opentelemetry/api';
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Collector, startCollector } from '../testing/collector.ts';
import { createTraceExporter } from './trace-exporter.ts';

const lines: string[] = [];
const logger = {
  warn: (_fields: object, line: string) => void lines.push(`warn: ${line}`),
  info: (line: string) => void lines.push(`info: ${line}`),
} as unknown as Parameters<typeof createTraceExporter>[1];

let collector: Collector;
beforeEach(async () => {
  lines.length = 0;
  collector = await startCollector();
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await collector.close();
});

test.each([
  ['http/protobuf', 'application/x-protobuf'],
  ['http/json', 'application/json'],
] as const)('sends %s', async (protocol, type) => {
  const { record } = await recorder(protocol);
  await record();
  expect(collector.types).toEqual([type]);
  expect(lines).toEqual([]);
});

test('logs one warning when the export fails and one line when it recovers', async () => {
  const { record } = await recorder('http/json');
  collector.status = 400;
  await record();
  await record();
  collector.status = 200;
  await record();
  await record();
  expect(collector.types).toHaveLength(4);
  expect(lines).toEqual(['warn: exporting traces failed; spans are dropped', 'info: trace export recovered']);
});

async function recorder(protocol: 'http/protobuf' | 'http/json') {
  const exporter = await createTraceExporter(protocol, logger);
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const tracer = provider.getTracer('test');
  return {
    async record() {
      tracer.startSpan('span', {}, ROOT_CONTEXT).end();
      await provider.forceFlush().catch(() => {});
    },
  };
}
