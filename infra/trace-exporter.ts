import { ExportResultCode } from '@opentelemetry/core';
import type { SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Logger } from 'pino';
import type { TraceSettings } from './trace-settings.ts';

/** OTLP over HTTP; address, headers, time-outs and certificates are the SDK's own settings. */
export async function createTraceExporter(
  protocol: TraceSettings['protocol'],
  logger: Pick<Logger, 'info' | 'warn'>,
): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  return reportingOnce(new OTLPTraceExporter(), logger);
}

/** Logs when the export starts failing and when it recovers, not every batch in between. */
function reportingOnce(exporter: SpanExporter, logger: Pick<Logger, 'info' | 'warn'>): SpanExporter {
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const hasFailed = result.code !== ExportResultCode.SUCCESS;
        if (hasFailed && !isFailing)
          logger.warn({ err: result.error }, 'exporting traces failed; spans are dropped');
        if (!hasFailed && isFailing) logger.info('trace export recovered');
        isFailing = hasFailed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
