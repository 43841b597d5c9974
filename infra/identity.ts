import * as oidc from 'openid-client';
import { type Identity, toIdentity } from '../core/identity.ts';
import type { Config } from './config.ts';
import { isOutage } from './outage.ts';

/** Seconds that the identity provider has for each answer. */
const TIMEOUT_SECONDS = 5;
/** Its addresses are looked up again after an hour; while it is away the old ones serve on. */
const DISCOVERY_MAX_AGE_MS = 3_600_000;

/** A sign-in under way. Stays on the server, bound to the visitor's session, and serves once. */
export interface PendingLogin {
  state: string;
  nonce: string;
  codeVerifier: string;
}

export interface SignedIn {
  identity: Identity;
  /** Proof for the provider, when the person signs out, whose session is to end. */
  idToken: string;
}

/** The identity provider cannot be reached, or is out of order. */
export class IdentityProviderAway extends Error {
  constructor(cause: unknown) {
    super('The identity provider does not answer as it should', { cause });
    this.name = 'IdentityProviderAway';
  }
}

/** The answer that the browser brought is not one that signs anybody in: cancelled, forged, replayed or expired. */
export class LoginRefused extends Error {
  readonly reason: string;
  constructor(cause: unknown) {
    super('The sign-in was refused', { cause });
    this.name = 'LoginRefused';
    const { code, error } = cause as { code?: unknown; error?: unknown };
    this.reason = String(error ?? code ?? 'unknown').slice(0, 100);
  }
}

export interface IdentityProvider {
  /** Where to send the browser, and what to keep for its return. @throws IdentityProviderAway */
  beginLogin(): Promise<{ url: URL; pending: PendingLogin }>;
  /** Exchanges the code that `callback` carries. @throws LoginRefused, IdentityProviderAway */
  completeLogin(callback: URL, pending: PendingLogin): Promise<SignedIn>;
  /** Where the provider's own session ends; undefined if it offers no such place or is away. */
  logoutUrl(idToken: string): Promise<URL | undefined>;
}

/** Any OpenID provider, by its settings alone: authorization code with PKCE, state and nonce. Asks nothing until needed. */
export function createIdentityProvider(settings: Config['oidc'], publicUrl: string): IdentityProvider {
  const redirectUri = `${publicUrl}/api/callback`;
  const configuration = discoverOnce(settings);
  return {
    async beginLogin() {
      const config = await configuration();
      const pending = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        codeVerifier: oidc.randomPKCECodeVerifier(),
      };
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: settings.scopes,
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(pending.codeVerifier),
        code_challenge_method: 'S256',
      });
      return { url, pending };
    },

    async completeLogin(callback, { state, nonce, codeVerifier }) {
      const config = await configuration();
      try {
        const tokens = await oidc.authorizationCodeGrant(config, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (!claims) throw new Error('There is no ID token');
        const more =
          claims.email === undefined ? await userInfo(config, tokens.access_token, claims.sub) : {};
        return {
          identity: toIdentity(claims.iss, { ...claims, ...more, sub: claims.sub }),
          idToken: tokens.id_token ?? '',
        };
      } catch (error) {
        throw isAway(error) ? new IdentityProviderAway(error) : new LoginRefused(error);
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

/** Some providers keep the ID token short and tell the rest at their userinfo endpoint. */
async function userInfo(config: oidc.Configuration, accessToken: string, subject: string): Promise<object> {
  if (!config.serverMetadata().userinfo_endpoint) return {};
  return oidc.fetchUserInfo(config, accessToken, subject);
}

/** The provider's addresses and keys: asked for when first needed, shared by everybody who waits, kept for an hour. */
function discoverOnce(settings: Config['oidc']): () => Promise<oidc.Configuration> {
  let known: { config: oidc.Configuration; until: number } | undefined;
  let asking: Promise<oidc.Configuration> | undefined;

  async function ask(): Promise<oidc.Configuration> {
    try {
      const config = await discover(settings);
      known = { config, until: Date.now() + DISCOVERY_MAX_AGE_MS };
      return config;
    } catch (error) {
      throw new IdentityProviderAway(error);
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
    // Signatures are checked although the token comes over TLS from the provider itself: with them, `alg: none` and
    // foreign keys are refused. Without TLS is for providers on one's own machine: production refuses
    // such an issuer (config.ts).
    execute: [
      oidc.enableNonRepudiationChecks,
      ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
    ],
  });
}

/** The secret goes into the body where the provider says that it takes it there, else into the header (the default of the standard). */
function authenticateClient(clientSecret: string): oidc.ClientAuth {
  const [inBody, inHeader] = [oidc.ClientSecretPost(clientSecret), oidc.ClientSecretBasic(clientSecret)];
  return function authenticate(server, ...rest) {
    const supported = server.token_endpoint_auth_methods_supported;
    return supported?.includes('client_secret_post') ? inBody(server, ...rest) : inHeader(server, ...rest);
  };
}

function isAway(error: unknown): boolean {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (code === 'OAUTH_TIMEOUT' || isOutage(error) || isOutage(cause)) return true;
  if (error instanceof TypeError && error.message === 'fetch failed') return true;
  return cause instanceof Response && cause.status >= 500;
}
