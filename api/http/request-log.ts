import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import { pinoHttp } from 'pino-http';
import type { Logger } from '../../infra/logger.ts';
import { isFromProxy, traceparentOf } from './trusted-proxy.ts';

/** One log line per response, with request id; refusals with address, code and reason. No bodies, no queries. */
export function requestLog(logger: Logger) {
  return pinoHttp({
    logger,
    genReqId(req, res) {
      const id = proxyId(req as Request) ?? randomUUID();
      res.setHeader('X-Request-Id', id);
      return id;
    },
    customLogLevel: levelOf,
    customProps: (req, res) => ({
      requestId: req.id,
      ...(res.statusCode >= 400 ? refusal(req as Request, res as Response) : {}),
    }),
    serializers: {
      req: (req: { method: string; url: string }) => ({
        method: req.method,
        path: req.url.split('?')[0],
      }),
      res: (res: { statusCode: number }) => ({ status: res.statusCode }),
    },
  });
}

/** The id that a trusted proxy gave the request, or the trace that it belongs to (W3C Trace Context). */
function proxyId(req: Request): string | undefined {
  if (!isFromProxy(req)) return undefined;
  const given = /^[\w.-]{8,64}$/.exec(req.get('x-request-id') ?? '')?.[0];
  return given ?? traceparentOf(req)?.split('-')[1];
}

/** A 503 from /readyz is an answer, not an error; reads that succeed are too many for a log. */
function levelOf(req: IncomingMessage, res: ServerResponse, error?: Error): 'error' | 'info' | 'debug' {
  if (req.url === '/readyz') return 'debug';
  if (error !== undefined || res.statusCode >= 500) return 'error';
  return res.statusCode >= 400 || req.method === 'POST' ? 'info' : 'debug';
}

function refusal(req: Request, res: Response) {
  return { address: req.ip, code: res.locals.errorCode, reason: res.locals.errorReason };
}
