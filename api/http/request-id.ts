import type { Request } from 'express';

export function requestId(req: Request): string {
  return String(req.id);
}
