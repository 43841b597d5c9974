import type { Request, RequestHandler, Response } from 'express';
import Stripe from 'stripe';
import type { SandboxConfig } from '../config.ts';
import type { Faults } from '../faults.ts';
import { applyFault } from '../http-faults.ts';
import { randomText } from '../ids.ts';
import type { EventCause, StripeContext } from './context.ts';
import { StripeApiError } from './errors.ts';
import { expandAnswer } from './expand.ts';
import { IdempotencyKeys } from './idempotency.ts';
import { type Params, textList } from './params.ts';
import type { StripeState } from './state.ts';

export interface StripeCall {
  id: string;
  params: Params;
  cause: EventCause;
  /** A publishable key may only use the object with this client secret. */
  clientSecret: string | undefined;
  isPublic: boolean;
}
type StripeHandler = (call: StripeCall) => object;
type Access = 'secret only' | 'publishable too';
type Answer = { status: number; body: string };

/** Wraps a function as a call of Stripe's API: key, parameters, idempotency, faults, answer or error. */
export function stripeCalls(config: SandboxConfig, ctx: StripeContext, faults: Faults) {
  const { state, behaviors, touch } = ctx;
  const keys = new IdempotencyKeys(state.answers);

  return function call(handler: StripeHandler, access: Access = 'secret only'): RequestHandler {
    return async function stripeCall(req, res) {
      const requestId = `req_${randomText(14)}`;
      res.set({ 'Request-Id': requestId, 'Stripe-Version': req.get('stripe-version') ?? Stripe.API_VERSION });
      res.set({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'no-cache, no-store' });
      const idempotencyKey = req.method === 'POST' ? req.get('idempotency-key') : undefined;
      if (idempotencyKey) res.set('Idempotency-Key', idempotencyKey);
      try {
        const isPublic = checkKey(req, config, access);
        const params = readParams(req);
        const clientSecret = removeParam(params, 'client_secret');
        removeParam(params, 'key');
        if (idempotencyKey) {
          const fingerprint = `${req.path} ${JSON.stringify(params)}`;
          const stored = keys.begin(idempotencyKey, fingerprint, requestId);
          if (stored?.answer) {
            res.set({ 'Idempotent-Replayed': 'true', 'Original-Request': stored.requestId });
            return send(res, stored.answer);
          }
          res.on('close', () => keys.abandon(idempotencyKey));
        }
        const cause = { requestId, idempotencyKey: idempotencyKey ?? null };
        const id = String(req.params.id ?? '');
        const work = () => run(() => handler({ id, params, cause, clientSecret, isPublic }), params, state);
        const keep = (answer: Answer & { kept?: boolean }) => {
          if (idempotencyKey && answer.kept !== false)
            keys.finish(idempotencyKey, answer.status, answer.body);
          touch();
          return answer;
        };
        const subject = `${req.method} ${req.path}`;
        if (idempotencyKey && behaviors.consume('stripe-stored-error', subject)) {
          return send(res, keep({ status: 500, body: JSON.stringify(apiError(500)) }));
        }
        const fault = faults.consume('stripe', subject);
        if (!fault) return send(res, keep(work()));
        return await applyFault(fault, res, {
          work: () => keep(work()),
          send: (answer) => send(res, answer),
          failure: (status) => {
            const failed = { status, body: JSON.stringify(apiError(status)) };
            // As at Stripe, the answer to finished work stays stored under its key, and so does a failure before it.
            return fault.when === 'after' ? failed : keep(failed);
          },
        });
      } catch (error) {
        if (!(error instanceof StripeApiError)) throw error;
        send(res, { status: error.status, body: JSON.stringify(error.body()) });
      }
    };
  };

  function run(work: () => object, params: Params, known: StripeState): Answer & { kept: boolean } {
    try {
      const answer = expandAnswer(known, work(), textList(params, 'expand'));
      return { status: 200, body: JSON.stringify(answer), kept: true };
    } catch (error) {
      if (!(error instanceof StripeApiError)) throw error;
      return { status: error.status, body: JSON.stringify(error.body()), kept: error.kept };
    }
  }
}

function apiError(status: number): object {
  if (status === 429) {
    const message =
      'Request rate limit exceeded. Learn more about rate limits here https://stripe.com/docs/rate-limits.';
    return { error: { type: 'invalid_request_error', code: 'rate_limit', message } };
  }
  const message = 'An unknown error occurred. (A fault of the sandbox.)';
  return { error: { type: 'api_error', message } };
}

function send(res: Response, answer: Answer): void {
  res.status(answer.status).type('json').send(answer.body);
}

/** Returns whether the key is the publishable one. @throws StripeApiError 401 */
function checkKey(req: Request, config: SandboxConfig, access: Access): boolean {
  const key = readKey(req);
  if (!key) {
    throw unauthorized(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    );
  }
  if (key === config.stripe.secretKey) return false;
  if (key !== config.stripe.publishableKey) throw unauthorized(`Invalid API Key provided: ${masked(key)}`);
  if (access === 'secret only') {
    throw unauthorized(
      'This API call cannot be made with a publishable API key. Please use a secret API key.',
      'secret_key_required',
    );
  }
  return true;
}

function readKey(req: Request): string | undefined {
  const [scheme, value] = (req.get('authorization') ?? '').split(' ');
  if (scheme?.toLowerCase() === 'bearer') return value;
  if (scheme?.toLowerCase() === 'basic')
    return Buffer.from(value ?? '', 'base64')
      .toString()
      .split(':')[0];
  const key = Object(req.body).key ?? req.query.key;
  return typeof key === 'string' ? key : undefined;
}

function readParams(req: Request): Params {
  if (req.method !== 'POST') return { ...(req.query as Params) };
  const hasBody = Number(req.get('content-length') ?? 0) > 0 || req.get('transfer-encoding') !== undefined;
  if (hasBody && !req.is('application/x-www-form-urlencoded')) {
    const message = `Invalid request (check that your POST content type is application/x-www-form-urlencoded). If you have any questions, we can help at https://support.stripe.com/.`;
    throw new StripeApiError(400, { type: 'invalid_request_error', message });
  }
  return { ...(Object(req.body) as Params) };
}

function removeParam(params: Params, name: string): string | undefined {
  const value = params[name];
  delete params[name];
  return typeof value === 'string' ? value : undefined;
}

function unauthorized(message: string, code?: string): StripeApiError {
  return new StripeApiError(401, { type: 'invalid_request_error', code, message });
}

function masked(key: string): string {
  return key.length > 12 ? `${key.slice(0, 8)}${'*'.repeat(key.length - 12)}${key.slice(-4)}` : '****';
}
