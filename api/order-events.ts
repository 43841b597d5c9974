import type { Request, RequestHandler, Response } from 'express';
import { clientKey } from '../infra/client-key.ts';
import { HttpError, Unavailable } from './http/errors.ts';
import { openEventStream } from './http/event-stream.ts';
import type { OrderFeed } from './order-feed.ts';

export interface StreamLimits {
  perAddress: number;
  perOrder: number;
  perProcess: number;
  heartbeatMs: number;
  maxAgeMs: number;
}

export const streamLimits: StreamLimits = {
  perAddress: 50,
  perOrder: 100,
  perProcess: 5_000,
  heartbeatMs: 20_000,
  maxAgeMs: 15 * 60_000,
};

const RETRY_AFTER_SECONDS = '30';

export interface OrderEvents {
  /** Refuses a stream above the limits, before anything is read for it. */
  limit: RequestHandler;
  /** Server-Sent Events of one order: its current status, then each committed change. */
  stream(orderId: string, req: Request, res: Response): void;
}

export function createOrderEvents(feed: OrderFeed, limits: StreamLimits): OrderEvents {
  const perAddress = new Map<string, number>();

  function countAddress(req: Request, res: Response): void {
    const address = clientKey(req.ip);
    perAddress.set(address, (perAddress.get(address) ?? 0) + 1);
    res.once('close', () => {
      const left = (perAddress.get(address) ?? 1) - 1;
      if (left > 0) perAddress.set(address, left);
      else perAddress.delete(address);
    });
  }

  return {
    limit(req, res, next) {
      const order = String(req.params.orderId);
      if (feed.count() >= limits.perProcess)
        throw new Unavailable('Live updates are busy. Please reload later.');
      const isCrowded =
        (perAddress.get(clientKey(req.ip)) ?? 0) >= limits.perAddress ||
        feed.countOf(order) >= limits.perOrder;
      if (isCrowded) throw tooManyStreams();
      countAddress(req, res);
      next();
    },

    stream(orderId, req, res) {
      const stream = openEventStream(req, res, limits);
      const unwatch = feed.watch(orderId, (status) => {
        if (status === null) res.end();
        else stream.send('status', status);
      });
      res.once('close', unwatch);
    },
  };
}

function tooManyStreams(): HttpError {
  return new HttpError(429, 'Too many pages are open. Please close some.', {
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
  });
}
