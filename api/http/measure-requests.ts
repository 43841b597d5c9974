import type { Request, RequestHandler, Response } from 'express';
import type { PaymentMethod } from '../../core/orders.ts';
import { countWebhook, observeRequest } from '../../infra/metrics.ts';

/** Counts and times every response by its route's pattern, since the number of paths is unlimited. */
export const measureRequests: RequestHandler = function measureRequests(req, res, next) {
  const start = performance.now();
  res.on('finish', () => {
    const route = routeOf(req);
    // A stream's duration says nothing about our speed.
    if (!isEventStream(res)) {
      observeRequest(req.method, route, res.statusCode, (performance.now() - start) / 1000);
    }
  });
  next();
};

export function isEventStream(res: Response): boolean {
  return String(res.getHeader('content-type')).startsWith('text/event-stream');
}

/** '/api/orders/:id'; 'site' for the pages and files of the site, 'unknown' for API paths that do not exist. */
export function routeOf(req: Request): string {
  const inApi = req.originalUrl.startsWith('/api/');
  if (!req.route) return inApi ? 'unknown' : 'site';
  return `${inApi ? '/api' : ''}${String(req.route.path)}`;
}

/** Counts the deliveries of a provider's webhook, refused ones included. */
export function measureWebhook(provider: PaymentMethod): RequestHandler {
  return function measureWebhook(_req, res, next) {
    res.on('finish', () => countWebhook(provider, webhookResult(res)));
    next();
  };
}

/** `res.locals.repeated`: the event was stored before. */
function webhookResult(res: Response) {
  if (res.statusCode < 300) return res.locals.repeated ? 'repeated' : 'stored';
  if (res.statusCode >= 500) return 'failed';
  return res.statusCode === 404 ? 'off' : 'refused';
}
