import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Config } from '../../infra/config.ts';

const TWO_YEARS_SECONDS = 63_072_000;
const payments = `(self "https://js.stripe.com" "https://www.paypal.com")`;
const permissions = `camera=(), microphone=(), geolocation=(), payment=${payments}`;

export function securityHeaders(config: Config): RequestHandler[] {
  const hsts = strictTransportSecurity(config);
  return [
    helmet({
      contentSecurityPolicy: false,
      crossOriginOpenerPolicy: false,
      crossOriginEmbedderPolicy: false,
      crossOriginResourcePolicy: { policy: 'same-origin' },
      frameguard: { action: 'deny' },
      referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
      strictTransportSecurity: false,
    }),
    function transportAndPermissions(_req, res, next) {
      if (hsts) res.set('Strict-Transport-Security', hsts);
      res.set('Permissions-Policy', permissions);
      next();
    },
  ];
}

/** The same headers for responses that bypass Express, none of which is a page. */
export function rawSecurityHeaders(config: Config): Record<string, string> {
  const hsts = strictTransportSecurity(config);
  return {
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': permissions,
    ...(hsts ? { 'Strict-Transport-Security': hsts } : {}),
  };
}

/** Undefined where the site is served without https, on a developer's machine. */
function strictTransportSecurity({ publicUrl }: Config): string | undefined {
  if (!publicUrl.startsWith('https:')) return undefined;
  return `max-age=${TWO_YEARS_SECONDS}; includeSubDomains; preload`;
}
