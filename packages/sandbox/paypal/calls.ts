import type { Request, RequestHandler, Response } from 'express';
import type { SandboxConfig } from '../config.ts';
import { dawdle, type Fault, type Faults } from '../faults.ts';
import { randomText } from '../ids.ts';
import { checkToken } from './access.ts';
import { badRequest, PayPalApiError } from './errors.ts';
import type { PayPalState, StoredReply } from './state.ts';

export interface PayPalCall {
  id: string;
  body: Record<string, unknown>;
  raw: string;
  query: Record<string, unknown>;
  requestId: string | undefined;
  /** The caller wants the whole resource back, not only its id and status. */
  wholeResource: boolean;
}
/** The status and the body of the answer; no body means 204. */
export type PayPalReply = { status: number; body?: object };
export type PayPalHandler = (call: PayPalCall) => PayPalReply;

/** A call as it was made and answered, for judging both by PayPal's documents. */
export interface Exchange {
  method: string;
  path: string;
  requestBody: string;
  status: number;
  answer: string;
}

const REMEMBERED_EXCHANGES = 1000;
const REMEMBERED_REPLIES = 20_000;
const SILENCE_LIMIT_MS = 120_000;

/** Turns a function into a call of PayPal's API: token, JSON, `PayPal-Request-Id`, faults, answer or error. */
export function paypalCalls(
  config: SandboxConfig,
  state: PayPalState,
  faults: Faults,
  exchanges: Exchange[],
  touch: () => void,
) {
  return function call(handler: PayPalHandler): RequestHandler {
    return async function paypalCall(req, res) {
      const answer = (): StoredReply => {
        try {
          checkToken(req, config);
          return replayOrDo(req, handler);
        } catch (error) {
          if (!(error instanceof PayPalApiError)) throw error;
          return { status: error.status, body: JSON.stringify(error.body) };
        }
      };
      const fault = faults.take('paypal', `${req.method} ${req.path}`);
      if (fault) return misbehave(fault, res, answer);
      const reply = answer();
      note(req, reply);
      send(res, reply);
    };
  };

  function replayOrDo(req: Request, handler: PayPalHandler): StoredReply {
    const requestId = req.method === 'POST' ? req.get('paypal-request-id') : undefined;
    const key = requestId && `${req.path} ${requestId}`;
    const stored = key ? state.replies.get(key) : undefined;
    // PayPal answers a repeated id with what it first made, with 200 instead of 201, whatever the new body says.
    if (stored) return { ...stored, status: stored.status === 201 ? 200 : stored.status };
    const { status, body } = handler(readCall(req, requestId));
    const reply = { status, body: body ? JSON.stringify(body) : '' };
    if (key) state.replies.set(key, reply);
    if (state.replies.size > REMEMBERED_REPLIES) {
      const oldest = state.replies.keys().next().value;
      if (oldest) state.replies.delete(oldest);
    }
    touch();
    return reply;
  }

  function note(req: Request, reply: StoredReply): void {
    const { pathname } = new URL(req.originalUrl, 'http://sandbox');
    const path = pathname.replace(/^\/paypal/, '');
    exchanges.push({
      method: req.method,
      path,
      requestBody: textOf(req),
      status: reply.status,
      answer: reply.body,
    });
    if (exchanges.length > REMEMBERED_EXCHANGES) exchanges.shift();
  }
}

function readCall(req: Request, requestId: string | undefined): PayPalCall {
  const raw = textOf(req);
  if (raw && !req.is('application/json') && !req.is('application/json-patch+json'))
    throw new PayPalApiError(415);
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

/** Spoils one interaction as the fault says; `answer` does the work, if it comes to that. */
export async function misbehave(fault: Fault, res: Response, answer: () => StoredReply): Promise<void> {
  if (fault.mode === 'slow') {
    await dawdle(fault);
    return send(res, answer());
  }
  if (fault.when === 'after') answer();
  if (fault.mode === 'error') {
    return send(res, { status: fault.code ?? 500, body: JSON.stringify(new PayPalApiError(500).body) });
  }
  if (fault.mode === 'timeout') {
    await Promise.race([
      dawdle({ ...fault, ms: fault.ms ?? SILENCE_LIMIT_MS }),
      new Promise((resolve) => res.on('close', resolve)),
    ]);
  }
  res.req.socket.resetAndDestroy();
}
