import express, { type Request, Router } from 'express';
import { z } from 'zod';
import { type PaymentMethod, paymentMethods } from '../../core/orders.ts';
import { receiveEvent } from '../../db/payment-events.ts';
import { crashPoint } from '../../infra/crash-point.ts';
import { isOutage } from '../../infra/outage.ts';
import { type VerifiedEvent, WebhookRefused } from '../../providers/gateway.ts';
import { BadRequest, HttpError, NotFound, Unavailable } from '../http/errors.ts';
import { tooMany } from '../http/rate-limit.ts';
import { allowOnly } from '../http/request-guards.ts';
import { requestId } from '../http/request-id.ts';
import type { ApiParts } from '../parts.ts';

/** The body as it came: a signature is over the raw bytes. */
const rawBody = express.raw({ type: 'application/json', limit: '1mb' });

/** An event's id and type as providers write them; PostgreSQL could not store every string. */
const word = z.string().regex(/^[\x21-\x7e]{1,200}$/);
const storable = z.object({ eventId: word, type: word });

/**
 * POST /api/webhooks/{provider}: verify the raw bytes, store event and job in one transaction, answer 200. No 2xx before
 * the commit; everything else is the worker's. Without a secret the endpoint is off.
 */
export function webhookRoutes(parts: ApiParts): Router {
  const router = Router();
  for (const provider of paymentMethods) {
    router
      .route(`/webhooks/${provider}`)
      .post(rawBody, async (req, res) => {
        const { eventId, type } = await verify(parts, provider, req);
        const payload = requireRawBody(req).toString('utf8');
        const { isNew, entry } = await receiveEvent(parts.db, {
          provider,
          eventId,
          type,
          source: 'webhook',
          payload,
          requestId: requestId(req),
        });
        crashPoint('after-webhook-commit');
        if (entry) parts.outbox.enqueue([entry]);
        res.locals.repeated = !isNew;
        res.json({ received: true });
        req.log.debug({ provider, eventId, type, isNew }, 'webhook stored');
      })
      .all(allowOnly('POST'));
  }
  return router;
}

async function verify(parts: ApiParts, provider: PaymentMethod, req: Request): Promise<VerifiedEvent> {
  const { webhook } = parts.gateways[provider];
  if (!webhook.isConfigured) throw new NotFound('Not found');
  const missing = webhook.requiredHeaders.find((name) => !req.get(name));
  if (missing) throw new BadRequest(`The ${titleCase(missing)} header is missing`);
  try {
    return storable.parse(await webhook.verify(requireRawBody(req), (name) => req.get(name)));
  } catch (error) {
    if (error instanceof WebhookRefused && error.reason === 'bad_signature') {
      return refuseSignature(parts, req, error);
    }
    if (error instanceof WebhookRefused || error instanceof z.ZodError) {
      throw new BadRequest(`The body is not an event of ${provider}`);
    }
    if (!isOutage(error)) throw error;
    throw new Unavailable(
      'The signature cannot be checked at the moment. Please send the event again.',
      error,
    );
  }
}

/** @throws HttpError 415 where {@link rawBody} found another content type */
function requireRawBody(req: Request): Buffer {
  if (Buffer.isBuffer(req.body)) return req.body;
  throw new HttpError(415, 'Send the event as application/json');
}

/** @throws HttpError always: 400, or 429 for a sender of many such */
async function refuseSignature({ rateLimits }: ApiParts, req: Request, cause: unknown): Promise<never> {
  const waitSeconds = await rateLimits.use('bad-signature', req.ip ?? 'unknown');
  if (waitSeconds > 0) throw tooMany(waitSeconds);
  throw new HttpError(400, 'The signature does not match this body and our settings, or is too old', {
    cause,
  });
}

function titleCase(header: string): string {
  return header.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
