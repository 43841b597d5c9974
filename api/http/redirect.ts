import type { Response } from 'express';

/** Redirects without the HTML body that Express would add, which no security policy covers. */
export function redirect(res: Response, status: 301 | 303, address: string): void {
  res.status(status).location(address).end();
}
