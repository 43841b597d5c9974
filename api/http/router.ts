import { Router } from 'express';

/** A router that tells `/api/orders` from `/API/Orders`, as proxies and their rules do (RFC 3986, section 6.2.2.1). */
export function createRouter(): Router {
  return Router({ caseSensitive: true });
}
