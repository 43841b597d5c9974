import { hostname } from 'node:os';
import {
  type Context,
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { parseTraceParent } from '@opentelemetry/core';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Logger } from 'pino';
import { createTraceExporter } from './trace-exporter.ts';
import type { TraceSettings } from './trace-settings.ts';
import type { Span, SpanOptions, Tracer } from './tracer.ts';

interface TracerSettings extends TraceSettings {
  deployment: string;
  processName: string;
  logger: Pick<Logger, 'info' | 'warn'>;
}

const kinds = {
  server: SpanKind.SERVER,
  consumer: SpanKind.CONSUMER,
  client: SpanKind.CLIENT,
};

/**
 * OpenTelemetry's SDK behind our own interface. Only this file and its exporter import it, and only infra/tracing.ts loads
 * them. Sampler, limits and queue follow the `OTEL_…` settings, which the SDK reads itself.
 */
export async function createTracer(settings: TracerSettings): Promise<Tracer> {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const provider = new BasicTracerProvider({
    resource: resourceOf(settings),
    spanProcessors: [new BatchSpanProcessor(await createTraceExporter(settings.protocol, settings.logger))],
  });
  const tracer = provider.getTracer('querywright');
  return {
    open(name, { kind, attributes = {}, traceparent }) {
      const parent = parentOf(kind, traceparent);
      if (!parent) return undefined;
      return toSpan(tracer.startSpan(name, { kind: kinds[kind], attributes }, parent), parent);
    },
    active() {
      const span = trace.getActiveSpan()?.spanContext();
      return span && traceparentOf(span);
    },
    note: (attributes) => void trace.getActiveSpan()?.setAttributes(attributes),
    async shutdown() {
      await provider.shutdown();
      context.disable();
    },
  };
}

/** Undefined for a client outside a trace. */
function parentOf(kind: SpanOptions['kind'], traceparent: string | null | undefined): Context | undefined {
  if (kind === 'client') return trace.getActiveSpan() && context.active();
  const remote = traceparent ? parseTraceParent(traceparent) : null;
  return remote ? trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true }) : ROOT_CONTEXT;
}

function toSpan(span: ReturnType<ReturnType<typeof trace.getTracer>['startSpan']>, parent: Context): Span {
  return {
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(attributes),
    fail(error) {
      const { name, code } = error as { name?: unknown; code?: unknown };
      span.setAttribute('error.type', String(name ?? 'Error'));
      if (typeof code === 'string') span.setAttribute('error.code', code);
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
    end: () => span.end(),
    run: (work) => context.with(trace.setSpan(parent, span), work),
  };
}

function traceparentOf({
  traceId,
  spanId,
  traceFlags,
}: {
  traceId: string;
  spanId: string;
  traceFlags: number;
}) {
  return `00-${traceId}-${spanId}-${traceFlags & TraceFlags.SAMPLED ? '01' : '00'}`;
}

/** `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` take precedence. */
function resourceOf({ deployment, processName }: TracerSettings) {
  return defaultResource()
    .merge(
      resourceFromAttributes({
        'service.namespace': 'querywright',
        'service.name': `querywright-${processName}`,
        'deployment.environment.name': deployment,
        'host.name': hostname(),
        'process.pid': process.pid,
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }));
}
