import type { RequestHandler } from 'express';
import type { LimitName, RateLimits } from '../../infra/rate-limits.ts';
import { HttpError } from './errors.ts';

/** Refuses a caller that uses this call too often: 429 with Retry-After. */
export function rateLimit(limits: RateLimits, name: LimitName): RequestHandler {
  return async function rateLimited(req, _res, next) {
    const waitSeconds = await limits.use(name, req.ip ?? 'unknown');
    if (waitSeconds === 0) return next();
    throw tooMany(waitSeconds);
  };
}

/** 429 that says when to come back. */
export function tooMany(waitSeconds: number): HttpError {
  return new HttpError(429, `Too many requests. Please try again in ${inWords(waitSeconds)}.`, {
    headers: { 'Retry-After': String(waitSeconds) },
  });
}

function inWords(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
