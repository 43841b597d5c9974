import { type Request, Router } from 'express';
import { z } from 'zod';
import { BadRequest, NotFound } from '../http/errors.ts';
import { allowOnly } from '../http/request-guards.ts';
import type { ApiParts } from '../parts.ts';
import { eventWord, rawBody, refuseSignature, requireRawBody, storeEvent } from './webhooks.ts';

const storable = z.object({ id: eventWord, type: eventWord });

/** POST /api/webhooks/stripe: verify the raw bytes → store → 200 (design §6). Without a secret the endpoint is off. */
export function stripeWebhookRoutes(parts: ApiParts): Router {
  const { config, stripe } = parts;
  const router = Router();
  router
    .route('/webhooks/stripe')
    .post(rawBody, async (req, res) => {
      if (config.stripe.webhookSecrets.length === 0) throw new NotFound('There is no such call');
      const event = await verify(req, requireRawBody(req), req.get('stripe-signature'));
      await storeEvent(parts, req, res, { provider: 'stripe', eventId: event.id, type: event.type });
    })
    .all(allowOnly('POST'));
  return router;

  async function verify(req: Request, body: Buffer, signature: string | undefined) {
    if (!signature) throw new BadRequest('The Stripe-Signature header is missing');
    try {
      const event = stripe.verifyWebhook(body, signature);
      if (storable.safeParse(event).success) return event;
    } catch (error) {
      return refuseSignature(parts, req, error);
    }
    throw new BadRequest('The body is not a Stripe event');
  }
}
