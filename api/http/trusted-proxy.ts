import type { Express, Request } from 'express';
import type { Config } from '../../infra/config.ts';
import { memoize } from '../../infra/memoize.ts';

type IsTrusted = (address: string | undefined, hop: number) => boolean;

/** Sets which proxies to trust. Several handlers of a request ask, so the result of the search is kept. */
export function trustProxies(app: Express, { trustProxy }: Pick<Config, 'trustProxy'>): void {
  app.set('trust proxy', trustProxy);
  if (typeof trustProxy !== 'string') return;
  const isListed: IsTrusted = app.get('trust proxy fn');
  const isTrusted = memoize((address) => isListed(address, 0));
  app.set('trust proxy', (address = '') => isTrusted(address));
}

/** Whether the connection comes from a proxy that TRUST_PROXY names, whose headers are believed. */
export function isFromProxy(req: Request): boolean {
  const isTrusted: IsTrusted = req.app.get('trust proxy fn');
  return isTrusted(req.socket.remoteAddress, 0);
}

/** The trace that a trusted proxy says the request belongs to (W3C Trace Context). */
export function traceparentOf(req: Request): string | undefined {
  if (!isFromProxy(req)) return undefined;
  return /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(req.get('traceparent') ?? '')?.[0];
}
