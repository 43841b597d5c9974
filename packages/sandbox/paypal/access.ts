import { createHmac, timingSafeEqual } from 'node:crypto';
import express, { type Request, Router } from 'express';
import type { Behaviors } from '../behaviors.ts';
import type { SandboxConfig } from '../config.ts';
import { PayPalApiError } from './errors.ts';

type TokenKind = 'server' | 'browser';

const TOKEN_LIFE_S = 32_400;
const CLIENT_TOKEN_LIFE_S = 900;

/** `POST /v1/oauth2/token`: an access token, or with `response_type=client_token` one for the browser. */
export function tokenRoutes(config: SandboxConfig, behaviors: Behaviors): Router {
  const router = Router();
  router.post('/', express.urlencoded({ extended: false }), (req, res) => {
    const { clientId, clientSecret } = config.paypal;
    const expected = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    if (req.get('authorization') !== expected) {
      res.status(401).json({ error: 'invalid_client', error_description: 'Client Authentication failed' });
      return;
    }
    const { grant_type: grant, response_type: response } = Object(req.body);
    if (grant !== 'client_credentials') {
      const description = 'Grant Type is NULL or unsupported';
      res.status(400).json({ error: 'unsupported_grant_type', error_description: description });
      return;
    }
    const forBrowser = response === 'client_token';
    const life = forBrowser ? clientTokenLife(behaviors) : TOKEN_LIFE_S;
    res.json({
      scope:
        'https://uri.paypal.com/services/payments/payment https://uri.paypal.com/services/applications/webhooks',
      access_token: makeToken(config, forBrowser ? 'browser' : 'server', life),
      token_type: 'Bearer',
      app_id: 'APP-80W284485P519543T',
      expires_in: life,
      nonce: new Date().toISOString(),
    });
  });
  return router;
}

function clientTokenLife(behaviors: Behaviors): number {
  const short = behaviors.consume('paypal-short-client-token');
  return short?.ms ? Math.floor(short.ms / 1000) : CLIENT_TOKEN_LIFE_S;
}

/** Returns whether a client token is one of ours and not expired. */
export function isClientTokenValid(config: SandboxConfig, token: string): boolean {
  return isValid(config, token, 'browser');
}

/** @throws PayPalApiError 401 unless the request carries a valid server token */
export function checkToken(req: Request, config: SandboxConfig): void {
  const [scheme, token = ''] = (req.get('authorization') ?? '').split(' ');
  if (scheme?.toLowerCase() !== 'bearer' || !isValid(config, token, 'server')) {
    throw new PayPalApiError(401, { issue: 'INVALID_ACCOUNT_STATUS', description: accountRefused });
  }
}

function isValid(config: SandboxConfig, token: string, wanted: TokenKind): boolean {
  const [kind = '', expires = ''] = token.split('.');
  const isCurrent = kind === `A21AA${wanted}` && Number(expires) * 1000 > Date.now();
  return isCurrent && sameText(token, signToken(config, kind, expires));
}

const accountRefused = 'Account validations failed for the user.';

// Tokens are signed rather than stored, so that they survive a restart.
function makeToken(config: SandboxConfig, kind: TokenKind, lifeSeconds: number): string {
  return signToken(config, `A21AA${kind}`, String(Math.floor(Date.now() / 1000) + lifeSeconds));
}

function signToken(config: SandboxConfig, kind: string, expires: string): string {
  const proof = createHmac('sha256', config.paypal.clientSecret)
    .update(`${kind}.${expires}`)
    .digest('base64url');
  return `${kind}.${expires}.${proof}`;
}

function sameText(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
