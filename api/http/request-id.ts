import type { Request } from 'express';

/** The id that the request log gave this request; it goes with the work into the outbox and the worker. */
export function requestId(req: Request): string {
  return String(req.id);
}
