import express, { type Request, Router } from 'express';
import { z } from 'zod';
import { receiveEvent } from '../db/payment-events.ts';
import { crashPoint } from '../infra/crash-point.ts';
import { isOutage } from '../infra/outage.ts';
import { paypalEvent } from '../infra/paypal-documents.ts';
import type { Transmission } from '../infra/paypal-webhook.ts';
import { BadRequest, HttpError, NotFound, Unavailable } from './errors.ts';
import type { ApiParts } from './parts.ts';
import { tooMany } from './rate-limit.ts';
import { allowOnly } from './request-guards.ts';
import { requestId } from './request-id.ts';

const storable = paypalEvent.extend({
  id: z.string().min(1).max(200),
  event_type: z.string().min(1).max(200),
});

/**
 * POST /api/webhooks/paypal: verify the raw bytes → one transaction (inbox row + outbox row) → 200 (design §6). What is
 * not PayPal's is 400 and stored nowhere; what cannot be decided now is 503, so that PayPal sends it again.
 */
export function paypalWebhookRoutes({ config, db, outbox, paypal, rateLimits }: ApiParts): Router {
  const router = Router();
  router
    .route('/webhooks/paypal')
    .post(express.raw({ type: 'application/json', limit: '1mb' }), async (req, res) => {
      if (!config.paypal.webhookId) throw new NotFound('There is no such call');
      if (!Buffer.isBuffer(req.body)) throw new HttpError(415, 'Send the event as application/json');
      const transmission = readTransmission(req);
      if (!(await isGenuine(req.body, transmission))) await refuse(req);
      const event = readEvent(req.body);
      const { fresh, push } = await receiveEvent(db, {
        provider: 'paypal',
        eventId: event.id,
        type: event.event_type,
        payload: req.body.toString('utf8'),
        requestId: requestId(req),
      });
      crashPoint('after-webhook-commit');
      if (push) outbox.push([push]);
      res.locals.repeated = !fresh;
      res.json({ received: true });
      req.log.debug({ eventId: event.id, type: event.event_type, fresh }, 'webhook stored');
    })
    .all(allowOnly('POST'));
  return router;

  async function isGenuine(body: Buffer, transmission: Transmission): Promise<boolean> {
    try {
      return await paypal.verifyWebhook(body, transmission);
    } catch (error) {
      if (!isOutage(error)) throw error;
      throw new Unavailable(
        'The signature cannot be checked at the moment. Please send the event again.',
        error,
      );
    }
  }

  /** @throws HttpError always: 400, or 429 for whoever sends many such */
  async function refuse(req: Request): Promise<never> {
    const waitSeconds = await rateLimits.use('bad-signature', req.ip ?? 'unknown');
    if (waitSeconds > 0) throw tooMany(waitSeconds);
    throw new BadRequest('The signature does not match this body and our webhook, or is too old');
  }
}

function readTransmission(req: Request): Transmission {
  const header = (name: string) => {
    const value = req.get(name);
    if (!value) throw new BadRequest(`The ${name} header is missing`);
    return value;
  };
  return {
    id: header('Paypal-Transmission-Id'),
    time: header('Paypal-Transmission-Time'),
    signature: header('Paypal-Transmission-Sig'),
    certificateUrl: header('Paypal-Cert-Url'),
    algorithm: header('Paypal-Auth-Algo'),
  };
}

function readEvent(body: Buffer): z.infer<typeof storable> {
  try {
    return storable.parse(JSON.parse(body.toString('utf8')));
  } catch {
    throw new BadRequest('The body is not a PayPal event');
  }
}
