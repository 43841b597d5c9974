import type { RequestHandler } from 'express';
import type { Shutdown } from '../../infra/process.ts';

/** Makes clients reconnect, elsewhere by then, while the process drains. */
export function closeWhileDraining(shutdown: Shutdown): RequestHandler {
  return function closeWhileDraining(_req, res, next) {
    if (shutdown.isDraining) res.set('Connection', 'close');
    next();
  };
}
