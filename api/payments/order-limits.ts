import type { RequestHandler } from 'express';
import { clientKey, clientNetwork } from '../../infra/client-key.ts';
import type { RateLimits } from '../../infra/rate-limits.ts';
import { ALL, countUse, paused, tooMany } from '../http/rate-limit.ts';

/** Limits new orders per address, network and in total; above the total only networks without recent orders may order. */
export function limitOrders(limits: RateLimits): RequestHandler {
  return async function limitOrders(req, res, next) {
    const network = clientNetwork(req.ip);
    const waitSeconds =
      (await countUse(limits, 'create-order', clientKey(req.ip), res)) ||
      (await countUse(limits, 'create-order-network', network, res));
    if (waitSeconds > 0) throw tooMany(waitSeconds);

    const isNewcomer = (await countUse(limits, 'create-order-newcomer', network, res)) === 0;
    const pauseSeconds = await countUse(limits, 'create-order-all', ALL, res);
    if (pauseSeconds === 0) return next();
    if (!isNewcomer) throw ordersPaused(pauseSeconds);
    const longerSeconds = await countUse(limits, 'create-order-newcomers', ALL, res);
    if (longerSeconds > 0) throw ordersPaused(longerSeconds);
    next();
  };
}

function ordersPaused(waitSeconds: number) {
  const message =
    'We are receiving unusually many orders. Please try again in a few minutes, or write to us.';
  return paused(waitSeconds, message, 'orders_paused');
}
