import express, { type Request, type Response } from 'express';
import { z } from 'zod';
import { type NewPaymentEvent, receiveEvent } from '../../db/payment-events.ts';
import { crashPoint } from '../../infra/crash-point.ts';
import { HttpError } from '../http/errors.ts';
import { tooMany } from '../http/rate-limit.ts';
import { requestId } from '../http/request-id.ts';
import type { ApiParts } from '../parts.ts';

/** An event's id and type as both providers write them; PostgreSQL could not store every string. */
export const eventWord = z.string().regex(/^[\x21-\x7e]{1,200}$/);

/** The body as it came: a signature is over the raw bytes. */
export const rawBody = express.raw({ type: 'application/json', limit: '1mb' });

/** @throws HttpError 415 where {@link rawBody} found another content type */
export function requireRawBody(req: Request): Buffer {
  if (Buffer.isBuffer(req.body)) return req.body;
  throw new HttpError(415, 'Send the event as application/json');
}

/** One transaction (inbox row + outbox row) → 200. No 2xx before the commit; everything else is the worker's. */
export async function storeEvent(
  { db, outbox }: ApiParts,
  req: Request,
  res: Response,
  event: Pick<NewPaymentEvent, 'provider' | 'eventId' | 'type'>,
): Promise<void> {
  const payload = requireRawBody(req).toString('utf8');
  const { fresh, push } = await receiveEvent(db, { ...event, payload, requestId: requestId(req) });
  crashPoint('after-webhook-commit');
  if (push) outbox.enqueue([push]);
  res.locals.repeated = !fresh;
  res.json({ received: true });
  req.log.debug({ ...event, fresh }, 'webhook stored');
}

/** Refuses what the provider did not sign. @throws HttpError always: 400, or 429 for whoever sends many such */
export async function refuseSignature(
  { rateLimits }: ApiParts,
  req: Request,
  cause?: unknown,
): Promise<never> {
  const waitSeconds = await rateLimits.use('bad-signature', req.ip ?? 'unknown');
  if (waitSeconds > 0) throw tooMany(waitSeconds);
  throw new HttpError(400, 'The signature does not match this body and our settings, or is too old', {
    cause,
  });
}
