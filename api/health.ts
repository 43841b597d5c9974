import type { Router } from 'express';
import type { ReadinessReport } from '../core/health.ts';
import { requireWritable } from '../db/database.ts';
import { readiness, readinessHandler } from '../infra/readiness.ts';
import { allowOnly } from './http/request-guards.ts';
import { createRouter } from './http/router.ts';
import type { ApiParts } from './parts.ts';

/** GET /healthz (liveness) and /readyz (readiness; names what is missing, never a version or an address). */
export function healthRoutes(parts: ApiParts): Router {
  const router = createRouter();
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

/** Orders and webhooks are accepted without the queue, and pages follow orders without notifications. */
export async function webReadiness(
  parts: Pick<ApiParts, 'config' | 'db' | 'outbox' | 'orderStream' | 'shutdown'>,
): Promise<ReadinessReport> {
  const { config, db, outbox, orderStream, shutdown } = parts;
  if (shutdown.isDraining) return { status: 'not ready', missing: [], checks: {} };
  return readiness(
    { database: () => requireWritable(db) },
    {
      queue: () => outbox.ping(),
      liveUpdates: orderStream.isListening() ? 'ok' : 'unreachable',
      stripeWebhook: config.stripe.webhookSecrets.length > 0 ? 'ok' : 'off',
      paypalWebhook: config.paypal.webhookId ? 'ok' : 'off',
    },
  );
}
