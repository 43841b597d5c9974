import express, { Router } from 'express';
import { receiveEvent } from '../db/payment-events.ts';
import { crashPoint } from '../infra/crash-point.ts';
import { BadRequest, HttpError, NotFound } from './errors.ts';
import type { ApiParts } from './parts.ts';
import { allowOnly } from './request-guards.ts';
import { requestId } from './request-id.ts';

/**
 * POST /api/webhooks/stripe: verify the raw bytes → one transaction (inbox row + outbox row) → 200 (design §6).
 * Everything else is the worker's. No 2xx before the commit; without a secret the endpoint is off.
 */
export function stripeWebhookRoutes({ config, db, outbox, stripe }: ApiParts): Router {
  const router = Router();
  router
    .route('/webhooks/stripe')
    .post(express.raw({ type: 'application/json', limit: '1mb' }), async (req, res) => {
      if (config.stripe.webhookSecrets.length === 0) throw new NotFound('There is no such call');
      if (!Buffer.isBuffer(req.body)) throw new HttpError(415, 'Send the event as application/json');
      const event = verify(req.body, req.get('stripe-signature'));
      const { fresh, push } = await receiveEvent(db, {
        provider: 'stripe',
        eventId: event.id,
        type: event.type,
        payload: req.body.toString('utf8'),
        requestId: requestId(req),
      });
      crashPoint('after-webhook-commit');
      if (push) outbox.push([push]);
      res.locals.repeated = !fresh;
      res.json({ received: true });
      req.log.debug({ eventId: event.id, type: event.type, fresh }, 'webhook stored');
    })
    .all(allowOnly('POST'));
  return router;

  function verify(body: Buffer, signature: string | undefined) {
    if (!signature) throw new BadRequest('The Stripe-Signature header is missing');
    try {
      const event = stripe.verifyWebhook(body, signature);
      if (typeof event.id === 'string' && typeof event.type === 'string') return event;
    } catch (error) {
      throw new HttpError(400, 'The signature does not match this body and our secret, or is too old', {
        cause: error,
      });
    }
    throw new BadRequest('The body is not a Stripe event');
  }
}
