import type { Request, RequestHandler, Response } from 'express';
import type { ErrorCode } from '../../core/http.ts';
import { clientKey, clientNetwork } from '../../infra/client-key.ts';
import type { LimitName, RateLimits } from '../../infra/rate-limits.ts';
import { HttpError } from './errors.ts';

/** Counts for all clients together. */
export const ALL = 'all';

/** Answers 429 above the limit of a client, or of what `keyOf` returns. Requests that we fail (5xx) do not count. */
export function rateLimit(
  limits: RateLimits,
  name: LimitName,
  keyOf: (req: Request) => string = ({ ip }) => clientKey(ip),
): RequestHandler {
  return async function rateLimited(req, res, next) {
    const waitSeconds = await countUse(limits, name, keyOf(req), res);
    if (waitSeconds > 0) throw tooMany(waitSeconds);
    next();
  };
}

/** A limit on all clients together, and what they read above it: a message that names a way out. */
export interface Total {
  name: 'contact-all' | 'newsletter-all';
  message: string;
}

/**
 * Limits a sender's address, and its network, since one customer may have many addresses. The store is asked last: what this
 * process can refuse by itself, above the `total` as well, never reaches it.
 */
export function limitSender(
  limits: RateLimits,
  name: 'contact' | 'newsletter' | 'login',
  total?: Total,
): RequestHandler {
  return async function limitedSender(req, res, next) {
    const client = clientKey(req.ip);
    const waitSeconds =
      limits.blockedFor(name, client) ||
      (await countUse(limits, `${name}-network`, clientNetwork(req.ip), res));
    if (waitSeconds > 0) throw tooMany(waitSeconds);
    const pauseSeconds = total ? limits.blockedFor(total.name, ALL) : 0;
    if (total && pauseSeconds > 0) throw paused(pauseSeconds, total.message);

    const ownSeconds = await countUse(limits, name, client, res);
    if (ownSeconds > 0) throw tooMany(ownSeconds);
    next();
  };
}

/** Counts a request unless we fail it (5xx). Returns the seconds to wait, 0 below the limit. */
export async function countUse(
  limits: RateLimits,
  name: LimitName,
  client: string,
  res: Response,
): Promise<number> {
  const waitSeconds = await limits.use(name, client);
  if (waitSeconds > 0) return waitSeconds;
  res.once('finish', () => {
    if (res.statusCode < 500) return;
    limits
      .giveBack(name, client)
      .catch((error: unknown) => res.req.log.warn({ err: error }, 'rate limit release failed'));
  });
  return 0;
}

/** @throws HttpError 429 for a sender of too many bad signatures, before any work is done for the request */
export function refuseForgers(limits: RateLimits, req: Request): void {
  const waitSeconds = limits.blockedFor('bad-signature', clientKey(req.ip));
  if (waitSeconds > 0) throw tooMany(waitSeconds);
}

/** Limits the total of all clients. @throws HttpError 503 with its message */
export async function limitAll(limits: RateLimits, { name, message }: Total, res: Response): Promise<void> {
  const waitSeconds = await countUse(limits, name, ALL, res);
  if (waitSeconds > 0) throw paused(waitSeconds, message);
}

/** Counts a request that did not prove its origin. Returns the seconds to wait, 0 below the limit. */
export function countBadSignature(limits: RateLimits, req: Request): Promise<number> {
  return limits.use('bad-signature', clientKey(req.ip));
}

export function tooMany(waitSeconds: number): HttpError {
  return new HttpError(429, `Too many requests. Please try again in ${inWords(waitSeconds)}.`, {
    headers: { 'Retry-After': String(waitSeconds) },
  });
}

/** A limit on the total is a 503, since this client did nothing wrong. */
export function paused(waitSeconds: number, message: string, code?: ErrorCode): HttpError {
  return new HttpError(503, message, {
    ...(code && { code }),
    headers: { 'Retry-After': String(waitSeconds) },
  });
}

function inWords(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
