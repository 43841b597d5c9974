export type SpanAttributes = Record<string, string | number | undefined>;

export interface SpanOptions {
  /** A server's or consumer's span may begin a trace; a client's exists inside one only. */
  kind: 'server' | 'consumer' | 'client';
  attributes?: SpanAttributes;
  /** For a server or consumer: the span that it goes on from, if any. */
  traceparent?: string | null | undefined;
}

/** Attributes are ids and words of ours, never what people typed; an error is only its class, for the same reason. */
export interface Span {
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  fail(error: unknown): void;
  end(): void;
  /** Runs `work` inside the span. */
  run<T>(work: () => T): T;
}

export interface Tracer {
  /** Undefined outside a trace, for a span that does not begin one. */
  open(name: string, options: SpanOptions): Span | undefined;
  /** The running span, as W3C Trace Context writes it. */
  active(): string | undefined;
  note(attributes: SpanAttributes): void;
  shutdown(): Promise<void>;
}
