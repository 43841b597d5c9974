import type { Environment } from './environment.ts';

export interface TraceSettings {
  protocol: Environment['OTEL_EXPORTER_OTLP_PROTOCOL'];
}

/** On if a collector's address is set, or the exporter, which has a default address. */
export function traceSettings(env: Environment): TraceSettings | undefined {
  const collector = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const exporter = env.OTEL_TRACES_EXPORTER ?? (collector ? 'otlp' : 'none');
  if (exporter === 'none' || env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined;
  return { protocol: env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL };
}
