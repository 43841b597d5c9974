import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Request, RequestHandler, Response, Router } from 'express';
import sirv from 'sirv';
import { messages } from '../core/messages.ts';
import { paths } from '../core/paths.ts';
import { withoutTrailingSlashes } from '../core/trailing-slashes.ts';
import type { Config } from '../infra/config.ts';
import { compressOnce } from './http/compress-once.ts';
import { checkoutPolicy } from './http/content-security-policy.ts';
import { setPageHeaders, setPagePolicies } from './http/page-headers.ts';
import { allowOnly } from './http/request-guards.ts';
import { createRouter } from './http/router.ts';
import { SECURITY_TXT, securityTxt } from './http/security-txt.ts';
import { toHttps } from './http/to-https.ts';
import { orderSummary } from './order-summary.ts';
import type { ApiParts } from './parts.ts';

interface Page {
  html: string;
  etag: string;
  compressed: (encoding: 'br' | 'gzip') => Buffer;
}

const NOT_FOUND = '404';
/** Pages that admit the providers' scripts and popups, and are never cached: orders are placed there. */
const checkoutPages = new Set<string>([paths.pricing]);
const privatePages = new Set<string>([
  paths.success,
  paths.enroll,
  paths.account,
  paths.newsletterConfirm,
  paths.newsletterUnsubscribe,
]);
const NONCE = '__CSP_NONCE__';
const SITE_MODE = '__SITE_MODE__';
const ORDER_SUMMARY = '__ORDER_SUMMARY__';

const onlyRead = allowOnly('GET');

/** The built site: prerendered pages with their policies, hashed assets that are cached forever, and the 404 page for the rest. */
export function siteRoutes({ config, db, logger }: ApiParts, folder: string): Router {
  const pages = loadPages(path.join(folder, 'pages'), config);
  const router = createRouter();

  router.use(toHttps(config.publicUrl));
  router.get(SECURITY_TXT, securityTxt(config.publicUrl));
  router.use(staticFiles(path.join(folder, 'static')));
  for (const file of ['robots.txt', 'sitemap.xml'])
    router.get(`/${file}`, serveWithPublicUrl(folder, file, config.publicUrl));

  router.get(paths.success, async (req, res, next) => {
    const page = pages.get(paths.success);
    if (!page) return next();
    setPageHeaders(res, config, { isPrivate: true });
    setPagePolicies(res, config);
    const summary = await orderSummary(db, req.query.orderId).catch((error) => {
      logger.error({ err: error }, 'order summary failed');
      return messages.unavailable;
    });
    sendRendered(
      req,
      res,
      page.html.replace(ORDER_SUMMARY, () => summary),
    );
  });
  router.use((req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return onlyRead(req, res, next);
    const pathname = withoutTrailingSlashes(req.path);
    const page = pages.get(pathname);
    if (page) {
      sendPage(req, res, page, pathname);
      return;
    }
    const notFound = pages.get(NOT_FOUND);
    if (!notFound) return next();
    res.status(404);
    sendPage(req, res, notFound, NOT_FOUND);
  });
  return router;

  function sendPage(req: Request, res: Response, page: Page, pathname: string): void {
    const isCheckout = checkoutPages.has(pathname);
    setPageHeaders(res, config, { isPrivate: isCheckout || privatePages.has(pathname) });
    if (isCheckout) {
      sendCheckout(req, res, page);
      return;
    }
    setPagePolicies(res, config);
    sendCompressed(req, res, page);
  }

  // The popup of PayPal needs its opener, and the providers' frames do not opt in to an embedder policy.
  function sendCheckout(req: Request, res: Response, page: Page): void {
    const nonce = randomBytes(16).toString('base64');
    res.set({
      'Content-Security-Policy': checkoutPolicy(config, nonce),
      'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    });
    sendRendered(req, res, page.html.replaceAll(NONCE, nonce));
  }
}

/** Compresses per answer; the lightest level takes less than a millisecond. */
function sendRendered(req: Request, res: Response, html: string): void {
  res.vary('Accept-Encoding');
  if (req.acceptsEncodings('gzip', 'identity') !== 'gzip') {
    res.send(html);
    return;
  }
  res.set('Content-Encoding', 'gzip').end(req.method === 'HEAD' ? undefined : gzipSync(html, { level: 1 }));
}

function sendCompressed(req: Request, res: Response, page: Page): void {
  res.set('ETag', page.etag).vary('Accept-Encoding');
  if (res.statusCode === 200 && req.fresh) {
    res.status(304).end();
    return;
  }
  const encoding = req.acceptsEncodings('br', 'gzip', 'identity');
  if (encoding === 'br' || encoding === 'gzip') {
    res.set('Content-Encoding', encoding).end(req.method === 'HEAD' ? undefined : page.compressed(encoding));
    return;
  }
  res.send(page.html);
}

function loadPages(folder: string, { publicUrl, sandbox }: Config): Map<string, Page> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.html'),
  );
  const html = (file: string) =>
    withPublicUrl(readFileSync(path.join(folder, file), 'utf8'), publicUrl).replace(
      SITE_MODE,
      sandbox ? 'sandbox' : 'live',
    );
  return new Map(
    files.map((file) => {
      const name = file.replaceAll(path.sep, '/').replace(/\.html$/, '');
      const route = name === 'index' ? '/' : name === NOT_FOUND ? NOT_FOUND : `/${name}`;
      return [route, toPage(html(file))];
    }),
  );
}

function toPage(html: string): Page {
  return {
    html,
    etag: `"${createHash('sha256').update(html).digest('base64url').slice(0, 27)}"`,
    compressed: compressOnce(html),
  };
}

function withPublicUrl(text: string, publicUrl: string): string {
  return text.replaceAll('__PUBLIC_URL__', publicUrl);
}

/** Serves a file that names the site's own URL, which is not known at build time. */
function serveWithPublicUrl(folder: string, file: string, publicUrl: string): RequestHandler {
  const text = withPublicUrl(readFileSync(path.join(folder, file), 'utf8'), publicUrl);
  return (_req, res) => {
    res.type(path.extname(file)).set('Cache-Control', 'no-cache').send(text);
  };
}

function staticFiles(folder: string): RequestHandler {
  return sirv(folder, {
    brotli: true,
    gzip: true,
    etag: true,
    dotfiles: false,
    extensions: [],
    setHeaders(res, pathname) {
      const hashed = pathname.startsWith('/assets/');
      res.setHeader('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
    },
  });
}
