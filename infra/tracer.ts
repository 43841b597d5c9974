type SpanAttributes = Record<string, string | number | undefined>;

export interface SpanOptions {
  /** A server's or consumer's span may start a trace; a client's exists only inside one. */
  kind: 'server' | 'consumer' | 'client';
  attributes?: SpanAttributes;
  /** The remote parent of a server's or consumer's span, if any. */
  traceparent?: string | null | undefined;
}

/** Attributes are ids and fixed words, never what people typed; of an error only its class, for the same reason. */
export interface Span {
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  fail(error: unknown): void;
  end(): void;
  run<T>(work: () => T): T;
}

export interface Tracer {
  /** Undefined for a client outside a trace. */
  open(name: string, options: SpanOptions): Span | undefined;
  active(): string | undefined;
  note(attributes: SpanAttributes): void;
  shutdown(): Promise<void>;
}
