import { Router } from 'express';
import { within } from '../infra/outbox.ts';
import type { ApiParts } from './parts.ts';

/** GET /healthz (the process lives) and /readyz (it can serve; says what is missing, never a version or address). */
export function healthRoutes(parts: ApiParts): Router {
  const router = Router();
  router.get('/healthz', (_req, res) => {
    res.set('Cache-Control', 'no-store').json({ status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    const checks = await readiness(parts);
    const ready = Object.values(checks).every((state) => state === 'ok' || state === 'off');
    res.set('Cache-Control', 'no-store').status(ready ? 200 : 503);
    res.json({ status: ready ? 'ready' : 'not ready', checks });
  });
  return router;
}

type State = 'ok' | 'unreachable' | 'off';

async function readiness({ config, db, outbox, orderStream }: ApiParts): Promise<Record<string, State>> {
  const answers = (check: Promise<unknown>): Promise<State> =>
    within(1_500, check).then(
      () => 'ok',
      () => 'unreachable',
    );
  const [database, queue] = await Promise.all([answers(db.raw('select 1').then()), answers(outbox.ping())]);
  return {
    database,
    queue,
    liveUpdates: orderStream.isListening() ? 'ok' : 'unreachable',
    stripeWebhook: config.stripe.webhookSecrets.length > 0 ? 'ok' : 'off',
    paypalWebhook: config.paypal.webhookId ? 'ok' : 'off',
  };
}
