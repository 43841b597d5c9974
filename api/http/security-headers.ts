import type { RequestHandler } from 'express';
import type { Config } from '../../infra/config.ts';

const TWO_YEARS_SECONDS = 63_072_000;
const payments = `(self "https://js.stripe.com" "https://www.paypal.com")`;
const permissions = `camera=(), microphone=(), geolocation=(), payment=${payments}`;

/** Set on every response. Pages add their policy (page-headers.ts). */
export function securityHeaders(config: Config): RequestHandler {
  const headers = Object.entries(securityHeaderValues(config));
  return function setSecurityHeaders(_req, res, next) {
    for (const [name, value] of headers) res.setHeader(name, value);
    next();
  };
}

/** By name, for answers that bypass Express. */
export function securityHeaderValues(config: Config): Record<string, string> {
  const hsts = strictTransportSecurity(config);
  return {
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'X-DNS-Prefetch-Control': 'off',
    'X-Permitted-Cross-Domain-Policies': 'none',
    // The filters of old browsers could be turned against pages.
    'X-XSS-Protection': '0',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Origin-Agent-Cluster': '?1',
    'Permissions-Policy': permissions,
    ...(hsts ? { 'Strict-Transport-Security': hsts } : {}),
  };
}

/** Undefined where the site is served without HTTPS, as on a developer's machine. */
function strictTransportSecurity({ publicUrl }: Config): string | undefined {
  if (!publicUrl.startsWith('https:')) return undefined;
  return `max-age=${TWO_YEARS_SECONDS}; includeSubDomains; preload`;
}
