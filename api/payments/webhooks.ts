import type { Request, RequestHandler, Response, Router } from 'express';
import { z } from 'zod';
import { type PaymentMethod, paymentMethods } from '../../core/orders.ts';
import { isUuid } from '../../core/text.ts';
import { receiveEvent } from '../../db/receive-event.ts';
import { crashPoint } from '../../infra/crash-point.ts';
import { isOutage } from '../../infra/outage.ts';
import { type VerifiedEvent, WebhookRefused } from '../../providers/gateway.ts';
import { cutOffQueued } from '../http/cut-off.ts';
import { BadRequest, HttpError, NotFound, Unavailable } from '../http/errors.ts';
import { measureWebhook } from '../http/measure-requests.ts';
import { countBadSignature, refuseForgers, tooMany } from '../http/rate-limit.ts';
import { allowOnly } from '../http/request-guards.ts';
import { createRouter } from '../http/router.ts';
import { unverifiedBody } from '../http/unverified-body.ts';
import type { ApiParts } from '../parts.ts';

/** An event's id and type as providers write them; PostgreSQL could not store every string. */
const printableAscii = z.string().regex(/^[\x21-\x7e]{1,200}$/);
const storable = z.object({
  eventId: printableAscii,
  type: printableAscii,
  orderId: z.string().refine(isUuid).optional().catch(undefined),
});

/** POST /api/webhooks/{provider}: verify the raw bytes, store event and job in one transaction, then answer 200. */
export function webhookRoutes(parts: ApiParts): Router {
  const router = createRouter();
  for (const provider of paymentMethods) {
    router
      .route(`/webhooks/${provider}`)
      .all(cutOffQueued(parts.logger))
      .post(measureWebhook(provider), refuseEarly(parts, provider), unverifiedBody(), async (req, res) => {
        const rawBody: Buffer = req.body;
        const { eventId, type, orderId } = await verify(parts, provider, req, rawBody);
        crashPoint('before-webhook-commit');
        const isNew = await receiveEvent(
          parts,
          {
            provider,
            eventId,
            type,
            source: 'webhook',
            namedOrderId: orderId,
            payload: rawBody.toString('utf8'),
            requestId: req.id,
          },
          goneSignal(res),
        );
        crashPoint('after-webhook-commit');
        res.locals.repeated = !isNew;
        res.json({ received: true });
        req.log.debug({ provider, eventId, type, isNew }, 'webhook stored');
      })
      .all(allowOnly('POST'));
  }
  return router;
}

/** Refuses what cannot be an event before reading the body, since anyone can call this URL. */
function refuseEarly({ gateways, rateLimits }: ApiParts, provider: PaymentMethod): RequestHandler {
  const { webhook } = gateways[provider];
  return function refuseEarly(req, res, next) {
    try {
      if (!webhook.isConfigured) throw new NotFound('Not found');
      const fault = webhook.headerFault((name) => req.get(name));
      if (fault) throw new BadRequest(fault);
      refuseForgers(rateLimits, req);
    } catch (error) {
      // The body that follows is not read.
      res.set('Connection', 'close');
      throw error;
    }
    next();
  };
}

async function verify(
  parts: ApiParts,
  provider: PaymentMethod,
  req: Request,
  rawBody: Buffer,
): Promise<VerifiedEvent> {
  try {
    return storable.parse(await parts.gateways[provider].webhook.verify(rawBody, (name) => req.get(name)));
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

/** @throws HttpError always: 400, or 429 for a sender of many such */
async function refuseSignature({ rateLimits }: ApiParts, req: Request, cause: unknown): Promise<never> {
  const waitSeconds = await countBadSignature(rateLimits, req);
  if (waitSeconds > 0) throw tooMany(waitSeconds);
  throw new HttpError(400, 'Signature verification failed: wrong secret, altered body or expired timestamp', {
    cause,
  });
}

/** Aborted when the provider disconnects: it will send the event again. */
function goneSignal(res: Response): AbortSignal {
  const gone = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) gone.abort();
  });
  return gone.signal;
}
