import express, { type Router } from 'express';
import { clientNetwork } from '../infra/client-key.ts';
import { ALL, rateLimit } from './http/rate-limit.ts';
import { allowOnly } from './http/request-guards.ts';
import { createRouter } from './http/router.ts';
import type { ApiParts } from './parts.ts';

/** POST /csp-report: logs policy violations without query strings. Limited in rate and size. */
export function cspReportRoutes({ rateLimits }: ApiParts): Router {
  const types = ['application/csp-report', 'application/reports+json', 'application/json'];
  const router = createRouter();
  router
    .route('/csp-report')
    .post(
      rateLimit(rateLimits, 'csp-report-network', ({ ip }) => clientNetwork(ip)),
      rateLimit(rateLimits, 'csp-report'),
      rateLimit(rateLimits, 'csp-report-all', () => ALL),
      express.json({ type: types, limit: '16kb' }),
      (req, res) => {
        for (const report of reportsIn(req.body)) req.log.warn(report, 'CSP violation reported');
        res.status(204).end();
      },
    )
    .all(allowOnly('POST'));
  return router;
}

/** Browsers send either report-uri's object or the Reporting API's list. */
function reportsIn(body: unknown): { directive: string; blocked: string }[] {
  const entries = Array.isArray(body)
    ? body.map((entry) => entry?.body)
    : [(body as { 'csp-report'?: unknown })?.['csp-report']];
  return entries.slice(0, 20).map((entry) => {
    const report = (entry ?? {}) as Record<string, unknown>;
    return {
      directive: textOf(report['effective-directive'] ?? report.effectiveDirective, 60),
      blocked: textOf(report['blocked-uri'] ?? report.blockedURL, 200),
    };
  });
}

/** A report can have any shape. Queries are dropped: they may name people. */
function textOf(value: unknown, maxLength: number): string {
  return typeof value === 'string' ? (value.split(/[?#]/)[0] ?? '').slice(0, maxLength) : '';
}
