import type { Logger } from 'pino';
import { readTraceparentWith } from '../db/traceparent.ts';
import type { Config } from './config.ts';
import { within } from './deadline.ts';
import type { Span, SpanOptions, Tracer } from './tracer.ts';

// The only tracing API that other folders use. OpenTelemetry is loaded only if the settings ask for it.

const FLUSH_DEADLINE_MS = 2_000;

let tracer: Tracer | undefined;

/** Starts recording traces if the settings name a collector. */
export async function startTracing(
  { tracing, deployment }: Pick<Config, 'tracing' | 'deployment'>,
  processName: string,
  logger: Pick<Logger, 'info' | 'warn'>,
): Promise<void> {
  if (!tracing) return;
  const { createTracer } = await import('./open-telemetry.ts');
  tracer = await createTracer({ ...tracing, deployment, processName, logger });
  readTraceparentWith(() => tracer?.active() ?? null);
}

/** Sends the remaining spans. Never throws, and waits 2 s at most. */
export async function stopTracing(): Promise<void> {
  const stopping = tracer;
  tracer = undefined;
  if (stopping) await within(FLUSH_DEADLINE_MS, stopping.shutdown()).catch(() => {});
}

export function openSpan(name: string, options: SpanOptions): Span | undefined {
  return tracer?.open(name, options);
}

/** Runs `work` in a span that ends with it; without one if tracing is off. */
export async function traced<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const span = openSpan(name, options);
  if (!span) return work(undefined);
  try {
    return await span.run(() => work(span));
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}

export function traceOrder(orderId: string): void {
  tracer?.note({ 'querywright.order.id': orderId });
}

export function traceFields(traceparent: string | null | undefined): { traceId?: string } {
  const traceId = traceparent?.split('-')[1];
  return traceId ? { traceId } : {};
}

export function activeTraceFields(): { traceId?: string } {
  return traceFields(tracer?.active());
}
