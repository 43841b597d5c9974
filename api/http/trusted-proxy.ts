import type { Request } from 'express';

/** Whether the connection comes from a proxy that TRUST_PROXY names, whose headers are believed. */
export function isFromProxy(req: Request): boolean {
  const isTrusted: (address: string | undefined, hop: number) => boolean = req.app.get('trust proxy fn');
  return isTrusted(req.socket.remoteAddress, 0);
}
