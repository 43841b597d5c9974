import type { Request, RequestHandler } from 'express';
import { openSpan } from '../../infra/tracing.ts';
import { isEventStream, routeOf } from './measure-requests.ts';
import { traceparentOf } from './trusted-proxy.ts';

/**
 * A span for every call, named by its route's pattern, since addresses contain ids and tokens. None for the site's pages
 * and files, nor for streams, which last as long as their clients stay.
 */
export const traceRequests: RequestHandler = function traceRequests(req, res, next) {
  const span = isCall(req)
    ? openSpan(req.method, { kind: 'server', traceparent: traceparentOf(req) })
    : undefined;
  if (!span) return next();
  res.once('close', () => {
    if (isEventStream(res)) return;
    const route = routeOf(req);
    span.rename(`${req.method} ${route}`);
    span.set({
      'http.request.method': req.method,
      'http.route': route,
      'http.response.status_code': res.statusCode,
      'querywright.request.id': req.id,
    });
    if (res.statusCode >= 500) span.fail({ name: String(res.statusCode) });
    span.end();
  });
  span.run(next);
};

function isCall({ method, originalUrl }: Request): boolean {
  return originalUrl.startsWith('/api/') || method === 'POST';
}
