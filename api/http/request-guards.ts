import express, { type Request, type RequestHandler } from 'express';
import type { Config } from '../../infra/config.ts';
import { BadRequest, HttpError, NotFound } from './errors.ts';
import { isFormPost } from './form-posts.ts';
import { readJson } from './json-body.ts';

const unsafeMethods = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Reads JSON bodies; any other body is 415, except a form's. */
export const jsonBody: RequestHandler[] = [
  function requireJson(req, _res, next) {
    const hasBody = Number(req.get('content-length') ?? 0) > 0 || req.get('transfer-encoding') !== undefined;
    if (!unsafeMethods.has(req.method) || !hasBody || isFormPost(req)) return next();
    if (!req.is('application/json')) throw new HttpError(415, 'Send the body as application/json');
    if (!isUtf8(req.get('content-type'))) throw new HttpError(415, 'Send the body in UTF-8');
    next();
  },
  express.raw({ type: 'application/json', limit: '32kb' }),
  function readJsonBody(req, _res, next) {
    if (Buffer.isBuffer(req.body)) req.body = req.body.length > 0 ? readJson(req.body) : undefined;
    next();
  },
];

/** JSON has no other charset (RFC 8259). */
function isUtf8(contentType = ''): boolean {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType)?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset);
}

/** Serves the site's own host only. Another name may be an attacker's that resolves to us (DNS rebinding). */
export function ownHost({ production, publicUrl }: Config): RequestHandler {
  const { host } = new URL(publicUrl);
  return function requireOwnHost(req, _res, next) {
    if (!production || req.host?.toLowerCase().replace(/:443$/, '') === host) return next();
    throw new HttpError(421, `This site is at ${publicUrl}`, { headers: { Connection: 'close' } });
  };
}

/** Rejects state-changing calls from other sites' pages; programs send no Origin. */
export function refuseCrossSite({ production, publicUrl }: Config): RequestHandler {
  return function refuseCrossSiteRequest(req, _res, next) {
    if (!unsafeMethods.has(req.method)) return next();
    const fetchSite = req.get('sec-fetch-site');
    if (fetchSite && fetchSite !== 'same-origin' && fetchSite !== 'none') throw crossSite();
    const origin = req.get('origin');
    if (origin === undefined || origin === publicUrl) return next();
    // Outside production the site may be opened under another name.
    const host = URL.canParse(origin) ? new URL(origin).host : undefined;
    if (production || host !== req.get('host')) throw crossSite();
    next();
  };
}

function crossSite(): HttpError {
  return new HttpError(403, 'Cross-site requests are not allowed');
}

const MAX_URL_LENGTH = 8_192;

/** Refuses requests that a proxy may parse differently, and overlong URLs. */
export const unambiguous: RequestHandler = function requireUnambiguous(req, _res, next) {
  requireOneHost(req);
  requireOnlyChunked(req);
  if (req.originalUrl.length > MAX_URL_LENGTH) throw new HttpError(414, 'The URL is too long');
  // No client sends it (RFC 9112 §3.2).
  if (req.originalUrl.includes('#')) throw new BadRequest('The URL must not have a fragment');
  next();
};

/** RFC 9112 §3.2: no request without a host, nor with two. */
function requireOneHost(req: Request): void {
  const hosts = req.rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name)).length;
  if (hosts === 1 || (hosts === 0 && req.httpVersion === '1.0')) return;
  throw new HttpError(400, 'Exactly one Host header is required', { headers: { Connection: 'close' } });
}

/** RFC 9112 §6.1: Node.js accepts other codings unread. */
function requireOnlyChunked(req: Request): void {
  const coding = req.get('transfer-encoding');
  if (coding === undefined || coding.toLowerCase() === 'chunked') return;
  throw new HttpError(400, 'The only transfer coding allowed is chunked', {
    headers: { Connection: 'close' },
  });
}

/** Rejects query parameters on calls that take none, so that misspelled ones are noticed. */
export const noQuery: RequestHandler = function noQuery(req, _res, next) {
  const [name] = Object.keys(req.query);
  if (name === undefined) return next();
  throw new BadRequest(`Unknown query parameter ${name.slice(0, 80)}`, {
    [name.slice(0, 80)]: 'Unknown parameter',
  });
};

/** The last handler of a route: 405 with the allowed methods, HEAD being implied by GET. */
export function allowOnly(...methods: string[]): RequestHandler {
  return allowExactly(...methods, ...(methods.includes('GET') ? ['HEAD'] : []));
}

/** Like {@link allowOnly}, for a GET that never ends and so has no HEAD. */
export function allowExactly(...methods: string[]): RequestHandler {
  const usable = methods.filter((method) => method !== 'HEAD').join(' or ');
  return function methodNotAllowed() {
    throw new HttpError(405, `Method not allowed. Use ${usable}.`, {
      headers: { Allow: methods.join(', ') },
    });
  };
}

/** The last handler of /api: an unknown path is 404 in JSON, never the site's page. */
export const unknownPath: RequestHandler = function unknownPath() {
  throw new NotFound('Not found');
};
