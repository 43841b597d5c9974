import { Router } from 'express';
import { ping } from '../db/database.ts';
import { type Readiness, readiness, readinessHandler } from '../infra/readiness.ts';
import { allowOnly } from './http/request-guards.ts';
import type { ApiParts } from './parts.ts';

/** GET /healthz (liveness) and /readyz (readiness; names what is missing, never a version or an address). */
export function healthRoutes(parts: ApiParts): Router {
  const router = Router();
  router
    .route('/healthz')
    .get((_req, res) => {
      res.set('Cache-Control', 'no-store').json({ status: 'ok' });
    })
    .all(allowOnly('GET'));
  router
    .route('/readyz')
    .get(readinessHandler(() => webReadiness(parts)))
    .all(allowOnly('GET'));
  return router;
}

export function webReadiness(
  parts: Pick<ApiParts, 'config' | 'db' | 'outbox' | 'orderStream'>,
): Promise<Readiness> {
  const { config, db, outbox, orderStream } = parts;
  return readiness({
    database: () => ping(db),
    queue: () => outbox.ping(),
    liveUpdates: orderStream.isListening() ? 'ok' : 'unreachable',
    stripeWebhook: config.stripe.webhookSecrets.length > 0 ? 'ok' : 'off',
    paypalWebhook: config.paypal.webhookId ? 'ok' : 'off',
  });
}
