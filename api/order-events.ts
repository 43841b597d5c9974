import type { Request, RequestHandler, Response } from 'express';
import { clientKey, clientNetwork } from '../infra/client-key.ts';
import { HttpError, Unavailable } from './http/errors.ts';
import { type EventStream, onceClosed, openEventStream } from './http/event-stream.ts';
import type { OrderFeed } from './order-feed.ts';

export interface StreamLimits {
  perAddress: number;
  perNetwork: number;
  perOrder: number;
  perProcess: number;
  heartbeatMs: number;
  maxAgeMs: number;
}

export const streamLimits: StreamLimits = {
  perAddress: 50,
  perNetwork: 500,
  perOrder: 100,
  perProcess: 5_000,
  heartbeatMs: 20_000,
  maxAgeMs: 15 * 60_000,
};

const RETRY_AFTER_SECONDS = '30';

interface OrderEvents {
  /** Refuses a stream above the limits, before anything is read for it. */
  limit: RequestHandler;
  /** Server-Sent Events of one order: its current status, then each committed change. @throws NotFound */
  stream(orderId: string, req: Request, res: Response): Promise<void>;
}

export function createOrderEvents(feed: OrderFeed, limits: StreamLimits): OrderEvents {
  const perAddress = new Map<string, number>();
  const perNetwork = new Map<string, number>();

  function count(streams: Map<string, number>, key: string, res: Response): void {
    streams.set(key, (streams.get(key) ?? 0) + 1);
    onceClosed(res, () => {
      const left = (streams.get(key) ?? 1) - 1;
      if (left > 0) streams.set(key, left);
      else streams.delete(key);
    });
  }

  return {
    limit(req, res, next) {
      const order = String(req.params.orderId);
      if (feed.count() >= limits.perProcess)
        throw new Unavailable('Live updates are busy. Please reload later.');
      const [address, network] = [clientKey(req.ip), clientNetwork(req.ip)];
      const isCrowded =
        (perAddress.get(address) ?? 0) >= limits.perAddress ||
        (perNetwork.get(network) ?? 0) >= limits.perNetwork ||
        feed.countOf(order) >= limits.perOrder;
      if (isCrowded) throw tooManyStreams();
      count(perAddress, address, res);
      count(perNetwork, network, res);
      next();
    },

    async stream(orderId, req, res) {
      let stream: EventStream | undefined;
      const { ready, end } = feed.watch(orderId, (status) => {
        stream ??= openEventStream(req, res, limits);
        if (status === null) res.end();
        else stream.send('status', status);
      });
      // Now: the client may hang up while its order is read.
      onceClosed(res, end);
      try {
        await ready;
      } catch (error) {
        end();
        throw error;
      }
    },
  };
}

function tooManyStreams(): HttpError {
  return new HttpError(429, 'Too many pages are open. Please close some.', {
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
  });
}
