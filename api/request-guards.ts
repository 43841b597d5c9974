import express, { type RequestHandler } from 'express';
import { BadRequest, HttpError, NotFound } from './errors.ts';

const unsafeMethods = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype']);

/** Parses JSON bodies; anything else with a body is 415. Keys that could reach a prototype are refused. */
export const jsonBody: RequestHandler[] = [
  function requireJson(req, _res, next) {
    const hasBody = Number(req.get('content-length') ?? 0) > 0 || req.get('transfer-encoding') !== undefined;
    if (!unsafeMethods.has(req.method) || !hasBody || req.is('application/json')) return next();
    throw new HttpError(415, 'Send the body as application/json');
  },
  express.json({
    limit: '32kb',
    reviver(key: string, value: unknown) {
      if (forbiddenKeys.has(key)) throw new SyntaxError(`forbidden key ${key}`);
      return value;
    },
  }),
];

/** State-changing calls come from our own pages or from programs, never from another site's page (ASVS 3.5.1). */
export function refuseCrossSite(publicUrl: string): RequestHandler {
  const ownHost = new URL(publicUrl).host;
  return function refuseCrossSiteRequest(req, _res, next) {
    if (!unsafeMethods.has(req.method)) return next();
    const fetchSite = req.get('sec-fetch-site');
    if (fetchSite && fetchSite !== 'same-origin' && fetchSite !== 'none') throw crossSite();
    const origin = req.get('origin');
    if (origin !== undefined) {
      const host = URL.canParse(origin) ? new URL(origin).host : undefined;
      if (host !== ownHost && host !== req.get('host')) throw crossSite();
    }
    next();
  };
}

function crossSite(): HttpError {
  return new HttpError(403, 'This call must come from our own pages');
}

/** Refuses query parameters on calls that have none, so that a misspelt one is noticed. */
export const noQuery: RequestHandler = function noQuery(req, _res, next) {
  const [name] = Object.keys(req.query);
  if (name === undefined) return next();
  throw new BadRequest(`Unknown query parameter ${name.slice(0, 80)}`, {
    [name.slice(0, 80)]: 'This parameter is not known',
  });
};

/** The last handler of a route: 405 and what is allowed. */
export function allowOnly(...methods: string[]): RequestHandler {
  const allow = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
  return function methodNotAllowed() {
    throw new HttpError(405, `This call takes ${methods.join(' or ')} only`, {
      headers: { Allow: allow.join(', ') },
    });
  };
}

/** The last handler of /api: an unknown path is 404 in JSON, never the site's page. */
export const unknownPath: RequestHandler = function unknownPath() {
  throw new NotFound('There is no such call');
};
