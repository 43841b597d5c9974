import type { RequestHandler } from 'express';
import type { Shutdown } from '../../infra/process.ts';

/** Makes clients close their connections while the process drains, and reconnect to another. */
export function closeWhileDraining(shutdown: Shutdown): RequestHandler {
  return function closeWhileDraining(_req, res, next) {
    if (shutdown.isDraining) res.set('Connection', 'close');
    next();
  };
}
