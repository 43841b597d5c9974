import type { Request, RequestHandler, Response } from 'express';
import { clientKey } from '../infra/client-key.ts';
import { HttpError, Unavailable } from './http/errors.ts';
import type { OrderFeed } from './order-feed.ts';

export interface StreamLimits {
  perAddress: number;
  perOrder: number;
  perProcess: number;
  heartbeatMs: number;
  /** Streams end after this, plus up to a tenth; the browser reconnects. */
  maxAgeMs: number;
}

export const streamLimits: StreamLimits = {
  perAddress: 50,
  perOrder: 100,
  perProcess: 5_000,
  heartbeatMs: 20_000,
  maxAgeMs: 15 * 60_000,
};

const RECONNECT_MS = 2_000;
const MAX_UNREAD_BYTES = 16_384;
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
      freeRoute(req);
      res.set({
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store',
        'X-Accel-Buffering': 'no',
      });
      res.flushHeaders();
      res.write(`retry: ${RECONNECT_MS}\n\n`);
      const send = (text: string) => {
        res.write(text);
        // A client that stops reading must not fill the memory.
        if (res.writableLength > MAX_UNREAD_BYTES) res.destroy();
      };
      const unwatch = feed.watch(orderId, (status) => {
        if (status === null) res.end();
        else send(`event: status\ndata: ${status}\n\n`);
      });
      const heartbeat = setInterval(() => send(': heartbeat\n\n'), limits.heartbeatMs);
      const end = setTimeout(() => res.end(), limits.maxAgeMs * (1 + Math.random() / 10));
      res.once('close', () => {
        unwatch();
        clearInterval(heartbeat);
        clearTimeout(end);
      });
    },
  };
}

/** Express would keep the closures of every router for as long as the stream is open: an eighth of its memory. */
function freeRoute(req: Request): void {
  Object.assign(req, { next: undefined, params: {} });
}

function tooManyStreams(): HttpError {
  return new HttpError(429, 'Too many pages are open. Please close some.', {
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
  });
}
