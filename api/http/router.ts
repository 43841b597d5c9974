import { Router } from 'express';

/** A case-sensitive router: paths are case-sensitive (RFC 3986, section 6.2.2.1), and so are the rules of proxies. */
export function createRouter(): Router {
  return Router({ caseSensitive: true });
}
