import type { Request, RequestHandler } from 'express';
import { redirect } from './redirect.ts';

/** Redirects plain-HTTP visitors to HTTPS. Believes X-Forwarded-Proto of trusted proxies only. */
export function toHttps(publicUrl: string): RequestHandler {
  return function redirectToHttps(req, res, next) {
    if (!publicUrl.startsWith('https:') || !isForwarded(req) || req.protocol !== 'http') return next();
    const query = /\?.*/.exec(req.originalUrl)?.[0] ?? '';
    res.set('Cache-Control', 'no-store').vary('X-Forwarded-Proto');
    redirect(res, 301, `${publicUrl}${req.baseUrl}${req.path}${query}`);
  };
}

function isForwarded(req: Request): boolean {
  const isTrusted = req.app.get('trust proxy fn') as (address: string | undefined, hop: number) => boolean;
  return req.get('x-forwarded-proto') !== undefined && isTrusted(req.socket.remoteAddress, 0);
}
