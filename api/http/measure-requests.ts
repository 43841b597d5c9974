import type { Request, RequestHandler, Response } from 'express';
import { countWebhook, observeRequest } from '../../infra/metrics.ts';

/** Counts and times every answer by its route's pattern, never by its path: those are without end. */
export const measureRequests: RequestHandler = function measureRequests(req, res, next) {
  const start = performance.now();
  res.on('finish', () => {
    const route = routeOf(req);
    // An event stream lasts as long as its reader stays.
    if (!String(res.getHeader('content-type')).startsWith('text/event-stream')) {
      observeRequest(req.method, route, res.statusCode, (performance.now() - start) / 1000);
    }
    const provider = /^\/api\/webhooks\/(\w+)$/.exec(route)?.[1];
    if (provider && req.method === 'POST') countWebhook(provider, webhookResult(res));
  });
  next();
};

/** '/api/orders/:id'; 'site' for the pages and files of the site, 'unknown' for API paths that do not exist. */
function routeOf(req: Request): string {
  const inApi = req.originalUrl.startsWith('/api/');
  if (!req.route) return inApi ? 'unknown' : 'site';
  return `${inApi ? '/api' : ''}${String(req.route.path)}`;
}

/** `res.locals.repeated`: the event was there already. */
function webhookResult(res: Response) {
  if (res.statusCode < 300) return res.locals.repeated ? 'repeated' : 'stored';
  if (res.statusCode >= 500) return 'failed';
  return res.statusCode === 404 ? 'off' : 'refused';
}
