import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from '../../infra/logger.ts';
import { isFromProxy, traceparentOf } from './trusted-proxy.ts';

declare global {
  namespace Express {
    interface Request {
      id: string;
      /** Adds the request's id, method and path to every log line. */
      log: Logger;
    }
  }
}

/** Keeps an attacker from filling the log with long paths. */
const MAX_PATH = 200;

/** One log line per response, with request id; refusals with address, code and reason. No bodies, no queries. */
export function requestLog(logger: Logger): RequestHandler {
  return function logRequest(req, res, next) {
    const started = performance.now();
    req.id = proxyId(req) ?? randomUUID();
    res.setHeader('X-Request-Id', req.id);
    const { method } = req;
    const path = req.url.split('?', 1)[0]?.slice(0, MAX_PATH);
    req.log = logger.child({ requestId: req.id, req: { method, path } });
    res.once('close', () => {
      const responseTime = Math.round(performance.now() - started);
      const fields = { res: { status: res.statusCode }, responseTime, ...refusal(req, res) };
      req.log[levelOf(req, res)](fields, `request ${res.writableFinished ? 'completed' : 'aborted'}`);
    });
    next();
  };
}

/** The id that a trusted proxy gave the request, or the trace that it belongs to (W3C Trace Context). */
function proxyId(req: Request): string | undefined {
  if (!isFromProxy(req)) return undefined;
  const given = /^[\w.-]{8,64}$/.exec(req.get('x-request-id') ?? '')?.[0];
  return given ?? traceparentOf(req)?.split('-')[1];
}

/** A 503 from /readyz is not an error, and successful reads are too many to log. */
function levelOf(req: Request, res: Response): 'error' | 'info' | 'debug' {
  if (req.originalUrl === '/readyz') return 'debug';
  if (res.statusCode >= 500) return 'error';
  return res.statusCode >= 400 || req.method === 'POST' ? 'info' : 'debug';
}

function refusal(req: Request, res: Response) {
  if (res.statusCode < 400) return undefined;
  return { address: req.ip, code: res.locals.errorCode, reason: res.locals.errorReason };
}
