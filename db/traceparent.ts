/** The trace that the running work belongs to, as W3C Trace Context writes it; null without tracing. */
export function currentTraceparent(): string | null {
  return read();
}

/** Traces are recorded in a room above; rows that are written here carry them on. */
export function readTraceparentWith(source: () => string | null): void {
  read = source;
}

let read: () => string | null = () => null;
