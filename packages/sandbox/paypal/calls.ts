import type { Request, RequestHandler, Response } from 'express';
import type { SandboxConfig } from '../config.ts';
import type { Fault, Faults } from '../faults.ts';
import { applyFault } from '../http-faults.ts';
import { randomText } from '../ids.ts';
import { checkToken } from './access.ts';
import type { PayPalContext } from './context.ts';
import { badRequest, PayPalApiError } from './errors.ts';
import { SlowCaptures } from './slow-captures.ts';
import type { StoredReply } from './state.ts';

interface PayPalCall {
  id: string;
  body: Record<string, unknown>;
  raw: string;
  query: Record<string, unknown>;
  requestId: string | undefined;
  /** Whether the answer carries the whole resource or only its id and status. */
  wholeResource: boolean;
}
/** Without a body the status is 204. */
export type PayPalReply = { status: number; body?: object };
type PayPalHandler = (call: PayPalCall) => PayPalReply;

/** A call and its answer, to be validated against PayPal's documents. */
export interface Exchange {
  method: string;
  path: string;
  requestBody: string;
  status: number;
  answer: string;
}

const MAX_EXCHANGES = 1000;

/** Wraps a function as a call of PayPal's API: token, JSON, `PayPal-Request-Id`, faults, answer or error. */
export function paypalCalls(
  config: SandboxConfig,
  ctx: PayPalContext,
  faults: Faults,
  exchanges: Exchange[],
) {
  const { state, touch } = ctx;
  const captures = new SlowCaptures(ctx.behaviors);
  return function call(handler: PayPalHandler): RequestHandler {
    return async function paypalCall(req, res) {
      const answer = (): StoredReply => {
        try {
          checkToken(req, config);
          return replayOrDo(req, handler);
        } catch (error) {
          if (!(error instanceof PayPalApiError)) throw error;
          return answerOf(error);
        }
      };
      const fault = faults.consume('paypal', `${req.method} ${req.path}`);
      if (fault) return applyPayPalFault(fault, res, answer);
      const reply = req.path.endsWith('/capture') ? await captures.take(req, answer) : answer();
      recordExchange(req, reply);
      send(res, reply);
    };
  };

  function replayOrDo(req: Request, handler: PayPalHandler): StoredReply {
    const requestId = req.method === 'POST' ? req.get('paypal-request-id') : undefined;
    const key = requestId && `${req.path} ${requestId}`;
    const stored = key ? state.replies.get(key) : undefined;
    // PayPal repeats its first answer, with 200 instead of 201, whatever the new body.
    if (stored) return { ...stored, status: stored.status === 201 ? 200 : stored.status };
    const reply = doOnce(handler, readCall(req, requestId));
    if (key) state.replies.set(key, reply);
    touch();
    return reply;
  }

  /** A refusal is an answer like any other: it is repeated under its id. */
  function doOnce(handler: PayPalHandler, paypalCall: PayPalCall): StoredReply {
    try {
      const { status, body } = handler(paypalCall);
      return { status, body: body ? JSON.stringify(body) : '' };
    } catch (error) {
      if (error instanceof PayPalApiError && error.status === 422) return answerOf(error);
      throw error;
    }
  }

  function recordExchange(req: Request, reply: StoredReply): void {
    const { pathname } = new URL(req.originalUrl, 'http://sandbox');
    const path = pathname.replace(/^\/paypal/, '');
    exchanges.push({
      method: req.method,
      path,
      requestBody: textOf(req),
      status: reply.status,
      answer: reply.body,
    });
    if (exchanges.length > MAX_EXCHANGES) exchanges.shift();
  }
}

function answerOf({ status, body }: PayPalApiError): StoredReply {
  return { status, body: JSON.stringify(body) };
}

function readCall(req: Request, requestId: string | undefined): PayPalCall {
  const raw = textOf(req);
  if (raw && !req.is('application/json')) throw new PayPalApiError(415);
  return {
    id: String(req.params.id ?? ''),
    raw,
    body: parseJson(raw),
    query: req.query,
    requestId,
    wholeResource: req.get('prefer') === 'return=representation',
  };
}

function parseJson(text: string): Record<string, unknown> {
  if (!text) return {};
  try {
    return JSON.parse(text) ?? {};
  } catch {
    throw badRequest('MALFORMED_REQUEST_JSON');
  }
}

function textOf(req: Request): string {
  return typeof req.body === 'string' ? req.body : '';
}

function send(res: Response, { status, body }: StoredReply): void {
  res.set('Paypal-Debug-Id', randomText(13).toLowerCase());
  if (!body) return void res.status(204).end();
  res.status(status).type('json').send(body);
}

export function applyPayPalFault(fault: Fault, res: Response, work: () => StoredReply): Promise<void> {
  return applyFault(fault, res, { work, send: (reply) => send(res, reply), failure: serverError });
}

export function serverError(status: number): StoredReply {
  return { status, body: JSON.stringify(new PayPalApiError(500).body) };
}
