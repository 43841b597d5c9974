import type { RequestHandler } from 'express';
import { redirect } from './redirect.ts';
import { isFromProxy } from './trusted-proxy.ts';

/** Redirects plain-HTTP visitors to HTTPS. Believes X-Forwarded-Proto of trusted proxies only. */
export function toHttps(publicUrl: string): RequestHandler {
  return function redirectToHttps(req, res, next) {
    const isForwarded = req.get('x-forwarded-proto') !== undefined && isFromProxy(req);
    if (!publicUrl.startsWith('https:') || !isForwarded || req.protocol !== 'http') return next();
    const query = /\?.*/.exec(req.originalUrl)?.[0] ?? '';
    res.set('Cache-Control', 'no-store').vary('X-Forwarded-Proto');
    redirect(res, 301, `${publicUrl}${req.baseUrl}${req.path}${query}`);
  };
}
