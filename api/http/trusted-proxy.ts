import type { Request } from 'express';

/** Whether the connection comes from a proxy that TRUST_PROXY names, whose headers are believed. */
export function isFromProxy(req: Request): boolean {
  const isTrusted: (address: string | undefined, hop: number) => boolean = req.app.get('trust proxy fn');
  return isTrusted(req.socket.remoteAddress, 0);
}

/** The trace that a trusted proxy says the request belongs to (W3C Trace Context). */
export function traceparentOf(req: Request): string | undefined {
  if (!isFromProxy(req)) return undefined;
  return /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(req.get('traceparent') ?? '')?.[0];
}
