import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { RequestHandler, Router } from 'express';
import sirv from 'sirv';
import type { SessionGuard } from '../account/session.ts';
import { setPageHeaders, setPagePolicies } from '../http/page-headers.ts';
import { createRouter } from '../http/router.ts';
import { toHttps } from '../http/to-https.ts';
import type { ApiParts } from '../parts.ts';
import { staffOnly } from './staff-session.ts';

/** `/desk`: one page for all desk URLs, and its assets. Staff still get them after their session has ended. */
export function deskPages(parts: ApiParts, guard: SessionGuard, siteFolder: string): Router {
  const { config } = parts;
  const folder = path.join(siteFolder, 'desk');
  const html = readFileSync(path.join(folder, 'index.html'), 'utf8');
  const desk = createRouter();
  desk.use(toHttps(config.publicUrl), readsOnly, guard.optional, staffOnly(parts));
  desk.use(
    '/assets',
    sirv(path.join(folder, 'assets'), {
      brotli: true,
      gzip: true,
      extensions: [],
      setHeaders: (res) => res.setHeader('Cache-Control', 'no-store'),
    }),
  );
  desk.use((_req, res) => {
    setPageHeaders(res, config, { isPrivate: true });
    setPagePolicies(res, config);
    res.send(html);
  });
  return createRouter().use('/desk', desk);
}

/** Other methods are answered as on any other page. */
const readsOnly: RequestHandler = function readsOnly(req, _res, next) {
  if (req.method === 'GET' || req.method === 'HEAD') return next();
  next('router');
};
