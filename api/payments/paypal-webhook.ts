import { type Request, Router } from 'express';
import type { z } from 'zod';
import { isOutage } from '../../infra/outage.ts';
import { paypalEvent } from '../../providers/paypal/facts.ts';
import type { Transmission } from '../../providers/paypal/webhook.ts';
import { BadRequest, NotFound, Unavailable } from '../http/errors.ts';
import { allowOnly } from '../http/request-guards.ts';
import type { ApiParts } from '../parts.ts';
import { eventWord, rawBody, refuseSignature, requireRawBody, storeEvent } from './webhooks.ts';

const storable = paypalEvent.extend({ id: eventWord, event_type: eventWord });

/**
 * POST /api/webhooks/paypal: verify the raw bytes → store → 200 (design §6). What is not PayPal's is 400 and stored
 * nowhere; what cannot be decided now is 503, so that PayPal sends it again. Without a webhook id the endpoint is off.
 */
export function paypalWebhookRoutes(parts: ApiParts): Router {
  const { config, paypal } = parts;
  const router = Router();
  router
    .route('/webhooks/paypal')
    .post(rawBody, async (req, res) => {
      if (!config.paypal.webhookId) throw new NotFound('There is no such call');
      const body = requireRawBody(req);
      if (!(await isGenuine(body, readTransmission(req)))) await refuseSignature(parts, req);
      const event = readEvent(body);
      await storeEvent(parts, req, res, { provider: 'paypal', eventId: event.id, type: event.event_type });
    })
    .all(allowOnly('POST'));
  return router;

  async function isGenuine(body: Buffer, transmission: Transmission): Promise<boolean> {
    try {
      return await paypal.verifyWebhook(body, transmission);
    } catch (error) {
      if (!isOutage(error)) throw error;
      const message = 'The signature cannot be checked at the moment. Please send the event again.';
      throw new Unavailable(message, error);
    }
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
