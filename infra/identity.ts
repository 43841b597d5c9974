import * as oidc from 'openid-client';
import { type Identity, toIdentity } from '../core/identity.ts';
import type { Config } from './config.ts';
import { isOutage } from './outage.ts';

const TIMEOUT_SECONDS = 5;
/** Maximum age of the provider's authentication for a fresh sign-in. */
const MAX_AGE_SECONDS = 120;
/** Discovery is repeated after an hour; if that fails the known configuration is kept. */
const DISCOVERY_MAX_AGE_MS = 3_600_000;

/** A sign-in under way; kept by the browser, sealed, and used once. */
export interface PendingLogin {
  state: string;
  nonce: string;
  codeVerifier: string;
  /** Forces authentication, even if the provider has a session. */
  fresh?: boolean;
}

export interface SignedIn {
  identity: Identity;
  claims: Record<string, unknown>;
  /** Sent to the provider at sign-out, to name the session that ends. */
  idToken: string;
}

export class IdentityProviderUnavailable extends Error {
  constructor(cause: unknown) {
    super('The identity provider is unavailable', { cause });
    this.name = 'IdentityProviderUnavailable';
  }
}

/** The callback does not sign anyone in: canceled, forged, replayed or expired. */
export class LoginRejected extends Error {
  readonly reason: string;
  constructor(cause: unknown) {
    super('The sign-in was rejected', { cause });
    this.name = 'LoginRejected';
    const { code, error } = cause as { code?: unknown; error?: unknown };
    this.reason = String(error ?? code ?? 'unknown').slice(0, 100);
  }
}

export interface IdentityProvider {
  /** The URL to redirect to, and what to keep for the callback. @throws IdentityProviderUnavailable */
  beginLogin(options?: { fresh?: boolean }): Promise<{ url: URL; pending: PendingLogin }>;
  /** Exchanges the code that `callback` carries. @throws LoginRejected, IdentityProviderUnavailable */
  completeLogin(callback: URL, pending: PendingLogin): Promise<SignedIn>;
  /** Ends the provider's own session; undefined if it has no such endpoint or is unavailable. */
  logoutUrl(idToken: string): Promise<URL | undefined>;
}

/** Any OpenID provider: authorization code flow with PKCE, state and nonce. Discovery happens on first use. */
export function createIdentityProvider(
  settings: Config['oidc'],
  publicUrl: string,
  wantedClaims: readonly string[] = [],
): IdentityProvider {
  const redirectUri = `${publicUrl}/api/callback`;
  const configuration = discoverOnce(settings);
  return {
    async beginLogin({ fresh = false } = {}) {
      const config = await configuration();
      const pending = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        codeVerifier: oidc.randomPKCECodeVerifier(),
        ...(fresh && { fresh }),
      };
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: settings.scopes,
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(pending.codeVerifier),
        code_challenge_method: 'S256',
        ...(fresh && { prompt: 'login', max_age: String(MAX_AGE_SECONDS) }),
      });
      return { url, pending };
    },

    async completeLogin(callback, { state, nonce, codeVerifier, fresh }) {
      const config = await configuration();
      try {
        const tokens = await oidc.authorizationCodeGrant(config, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
          // Requires `auth_time` (OpenID Connect Core §3.1.2.1): a provider may ignore `prompt`.
          ...(fresh && { maxAge: MAX_AGE_SECONDS }),
        });
        const claims = tokens.claims();
        if (!claims) throw new Error('There is no ID token');
        const isShort = ['email', ...wantedClaims].some((name) => claims[name] === undefined);
        const more = isShort ? await userInfo(config, tokens.access_token, claims.sub) : {};
        const all = { ...claims, ...more, sub: claims.sub };
        return {
          identity: toIdentity(claims.iss, all),
          claims: all,
          idToken: tokens.id_token ?? '',
        };
      } catch (error) {
        throw isUnavailable(error) ? new IdentityProviderUnavailable(error) : new LoginRejected(error);
      }
    },

    async logoutUrl(idToken) {
      const config = await configuration().catch(() => undefined);
      if (!config?.serverMetadata().end_session_endpoint) return undefined;
      return oidc.buildEndSessionUrl(config, {
        id_token_hint: idToken,
        post_logout_redirect_uri: `${publicUrl}/`,
      });
    },
  };
}

/** Some providers put few claims into the ID token; their userinfo endpoint has the rest. */
async function userInfo(config: oidc.Configuration, accessToken: string, subject: string): Promise<object> {
  if (!config.serverMetadata().userinfo_endpoint) return {};
  return oidc.fetchUserInfo(config, accessToken, subject);
}

/** One discovery at a time, shared by concurrent callers and cached for an hour. */
function discoverOnce(settings: Config['oidc']): () => Promise<oidc.Configuration> {
  let known: { config: oidc.Configuration; until: number } | undefined;
  let asking: Promise<oidc.Configuration> | undefined;

  async function ask(): Promise<oidc.Configuration> {
    try {
      const config = await discover(settings);
      known = { config, until: Date.now() + DISCOVERY_MAX_AGE_MS };
      return config;
    } catch (error) {
      throw new IdentityProviderUnavailable(error);
    } finally {
      asking = undefined;
    }
  }

  return async function configuration() {
    if (known && known.until > Date.now()) return known.config;
    asking ??= ask();
    if (!known) return asking;
    const { config } = known;
    return asking.catch(() => config);
  };
}

function discover({ issuer, clientId, clientSecret }: Config['oidc']): Promise<oidc.Configuration> {
  return oidc.discovery(new URL(issuer), clientId, undefined, authenticateClient(clientSecret), {
    timeout: TIMEOUT_SECONDS,
    // Signatures are checked although the token comes over TLS: this rejects `alg: none` and foreign keys. Plain HTTP is
    // for local providers only; production rejects such an issuer (weaknesses.ts).
    execute: [
      oidc.enableNonRepudiationChecks,
      ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
    ],
  });
}

/** Uses client_secret_post if the provider supports it, otherwise client_secret_basic. */
function authenticateClient(clientSecret: string): oidc.ClientAuth {
  const [inBody, inHeader] = [oidc.ClientSecretPost(clientSecret), oidc.ClientSecretBasic(clientSecret)];
  return function authenticate(server, ...rest) {
    const supported = server.token_endpoint_auth_methods_supported;
    return supported?.includes('client_secret_post') ? inBody(server, ...rest) : inHeader(server, ...rest);
  };
}

function isUnavailable(error: unknown): boolean {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (code === 'OAUTH_TIMEOUT' || isOutage(error) || isOutage(cause)) return true;
  if (error instanceof TypeError && error.message === 'fetch failed') return true;
  return cause instanceof Response && cause.status >= 500;
}
