import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Config } from '../infra/config.ts';

const TWO_YEARS_SECONDS = 63_072_000;

/** Headers of every answer (reliability.md §4). The policy of a page is set where the page is sent. */
export function securityHeaders(config: Config): RequestHandler[] {
  const payments = `(self "https://js.stripe.com" "https://www.paypal.com")`;
  return [
    helmet({
      contentSecurityPolicy: false,
      crossOriginOpenerPolicy: false,
      crossOriginEmbedderPolicy: false,
      crossOriginResourcePolicy: { policy: 'same-origin' },
      frameguard: { action: 'deny' },
      referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
      strictTransportSecurity: config.publicUrl.startsWith('https:')
        ? { maxAge: TWO_YEARS_SECONDS, includeSubDomains: true, preload: true }
        : false,
    }),
    function permissionsPolicy(_req, res, next) {
      res.set('Permissions-Policy', `camera=(), microphone=(), geolocation=(), payment=${payments}`);
      next();
    },
  ];
}
