import type { Request, Response } from 'express';

const RECONNECT_MS = 2_000;
const MAX_UNREAD_BYTES = 16_384;

interface StreamTimes {
  heartbeatMs: number;
  maxAgeMs: number;
}

export interface EventStream {
  /** `data` is JSON. */
  send(event: string, data: string): void;
}

/** Begins an answer of Server-Sent Events, with heartbeats. */
export function openEventStream(
  req: Request,
  res: Response,
  { heartbeatMs, maxAgeMs }: StreamTimes,
): EventStream {
  res.set({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  freeRequest(req);
  res.write(`retry: ${RECONNECT_MS}\n\n`);
  const write = (text: string) => {
    // The last change may have been read while the stream was ending.
    if (res.writableEnded) return;
    res.write(text);
    // Cut off a client that stops reading, before its buffer fills the memory.
    if (res.writableLength > MAX_UNREAD_BYTES) res.destroy();
  };
  const heartbeat = setInterval(() => write(': heartbeat\n\n'), heartbeatMs);
  const end = setTimeout(() => res.end(), maxAgeMs * (1 - Math.random() / 10));
  onceClosed(res, () => {
    clearInterval(heartbeat);
    clearTimeout(end);
  });
  return { send: (event, data) => write(`event: ${event}\ndata: ${data}\n\n`) };
}

/** Calls `callback` when the client has gone, now if it already has: it may hang up while the request is being examined. */
export function onceClosed(res: Response, callback: () => void): void {
  if (res.closed) callback();
  else res.once('close', callback);
}

/**
 * Express would keep the closures of every router for as long as the stream is open: an eighth of its memory. The
 * session is dropped so that the end of the stream does not save it.
 */
function freeRequest(req: Request): void {
  Object.assign(req, { next: undefined, params: {}, session: undefined });
}
