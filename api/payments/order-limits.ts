import type { RequestHandler } from 'express';
import { clientKey, clientNetwork } from '../../infra/client-key.ts';
import type { RateLimits } from '../../infra/rate-limits.ts';
import { ALL, countUse, paused, tooMany } from '../http/rate-limit.ts';

/**
 * Limits new orders per address, network and in total; above the total only networks without recent orders may order. The
 * store is asked last: what this process can refuse by itself never reaches it.
 */
export function limitOrders(limits: RateLimits): RequestHandler {
  return async function limitOrders(req, res, next) {
    const [client, network] = [clientKey(req.ip), clientNetwork(req.ip)];
    const waitSeconds =
      limits.blockedFor('create-order', client) ||
      (await countUse(limits, 'create-order-network', network, res));
    if (waitSeconds > 0) throw tooMany(waitSeconds);

    const isNewcomer = (await countUse(limits, 'create-order-newcomer', network, res)) === 0;
    const pauseSeconds = await countUse(limits, 'create-order-all', ALL, res);
    if (pauseSeconds > 0) {
      const longerSeconds = isNewcomer
        ? await countUse(limits, 'create-order-newcomers', ALL, res)
        : pauseSeconds;
      if (longerSeconds > 0) throw ordersPaused(longerSeconds);
    }

    const ownSeconds = await countUse(limits, 'create-order', client, res);
    if (ownSeconds > 0) throw tooMany(ownSeconds);
    next();
  };
}

function ordersPaused(waitSeconds: number) {
  const message =
    'We are receiving unusually many orders. Please try again in a few minutes, or write to us.';
  return paused(waitSeconds, message, 'orders_paused');
}
