/** The running span as a W3C `traceparent`; null without tracing. */
export function currentTraceparent(): string | null {
  return read();
}

/** Sets where {@link currentTraceparent} reads from: traces are recorded in a layer above. */
export function readTraceparentWith(source: () => string | null): void {
  read = source;
}

let read: () => string | null = () => null;
