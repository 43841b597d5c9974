import { Router } from 'express';
import { type Readiness, readiness } from '../infra/readiness.ts';
import { allowOnly } from './http/request-guards.ts';
import type { ApiParts } from './parts.ts';

/** GET /healthz (the process is up) and /readyz (it can serve; names what is missing, never a version or address). */
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
    .get(async (_req, res) => {
      const answer = await webReadiness(parts);
      res.set('Cache-Control', 'no-store').status(answer.missing.length === 0 ? 200 : 503);
      res.json(answer);
    })
    .all(allowOnly('GET'));
  return router;
}

/** What a web process needs, and whether each provider's webhook is configured. */
export function webReadiness(
  parts: Pick<ApiParts, 'config' | 'db' | 'outbox' | 'orderStream'>,
): Promise<Readiness> {
  const { config, db, outbox, orderStream } = parts;
  return readiness({
    database: () => db.raw('select 1').then(),
    queue: () => outbox.ping(),
    liveUpdates: orderStream.isListening() ? 'ok' : 'unreachable',
    stripeWebhook: config.stripe.webhookSecrets.length > 0 ? 'ok' : 'off',
    paypalWebhook: config.paypal.webhookId ? 'ok' : 'off',
  });
}
