import type { Request } from 'express';
import { idempotencyKey } from '../../core/orders.ts';
import { BadRequest } from '../http/errors.ts';

/** The request's Idempotency-Key, null without one. @throws BadRequest */
export function readIdempotencyKey(req: Request): string | null {
  const header = req.get('idempotency-key');
  if (header === undefined) return null;
  const key = idempotencyKey.safeParse(header);
  if (key.success) return key.data;
  const message = key.error.issues[0]?.message ?? 'Idempotency-Key is not valid';
  throw new BadRequest(message, { 'Idempotency-Key': message });
}
