import type { Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { SandboxConfig } from '../config.ts';
import { escapeHtml, htmlPage } from '../html.ts';
import type { OidcKeys } from './keys.ts';
import { MemoryAdapter } from './memory-adapter.ts';
import { claimsOf, findPerson } from './people.ts';

const HOUR_S = 3600;

/** The OpenID provider with one client, the site, whose login and logout addresses follow from `siteUrl`. */
export async function createOidcProvider(
  config: SandboxConfig,
  publicUrl: string,
  keys: OidcKeys,
): Promise<Provider> {
  // Loaded at the first sign-in: a sandbox for payments and e-mails starts faster without it.
  const { Provider: OidcProvider } = await import('oidc-provider');
  const store = new Map();
  const { signingKey, cookieSecret } = keys.get();
  const configuration: Configuration = {
    adapter: (kind) => new MemoryAdapter(kind, store),
    clients: [
      {
        client_id: config.oidc.clientId,
        client_secret: config.oidc.clientSecret,
        client_name: 'Querywright',
        redirect_uris: [`${config.siteUrl}/api/callback`],
        post_logout_redirect_uris: [`${config.siteUrl}/`],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        // The default of openid-client.
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [signingKey] },
    cookies: {
      keys: [cookieSecret],
      // Cookies are shared between ports: these names must differ from the site's.
      names: { session: 'sandbox_oidc', interaction: 'sandbox_oidc_step', resume: 'sandbox_oidc_resume' },
    },
    pkce: { required: () => true },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'given_name', 'family_name', 'picture'],
    },
    // Like most hosted providers: claims in the ID token and at the userinfo endpoint.
    conformIdTokenClaims: false,
    findAccount: (_ctx, sub) => {
      const person = findPerson(sub);
      return person && { accountId: sub, claims: () => ({ ...claimsOf(person, publicUrl), sub }) };
    },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: true, logoutSource: leaveAtOnce, postLogoutSuccessSource: signedOutPage },
    },
    interactions: { url: (_ctx, interaction) => `/oidc/interaction/${interaction.uid}` },
    loadExistingGrant: grantWhatIsAsked,
    renderError: (ctx, out) => {
      const lines = Object.entries(out).map(([name, text]) => `${name}: ${text}`);
      page(ctx, 'Sign-in failed', `<h1>Sign-in failed</h1><pre>${escapeHtml(lines.join('\n'))}</pre>`);
    },
    ttl: {
      AccessToken: HOUR_S,
      AuthorizationCode: 60,
      Grant: 24 * HOUR_S,
      IdToken: HOUR_S,
      Interaction: HOUR_S,
      Session: 24 * HOUR_S,
    },
  };
  return new OidcProvider(`${publicUrl}/oidc`, configuration);
}

/** Grants consent without asking: the site is the only client. */
async function grantWhatIsAsked(ctx: KoaContextWithOIDC) {
  const { client, session, params, provider } = ctx.oidc;
  if (!client || !session?.accountId) return undefined;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope(String(params?.scope ?? 'openid'));
  await grant.save();
  return grant;
}

/** Submits the sign-out form at once: the visitor has already pressed the site's button. */
function leaveAtOnce(ctx: KoaContextWithOIDC, form: string): void {
  page(
    ctx,
    'Signing out',
    `<h1>Signing out…</h1>${form}
    <button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button>
    <script>document.querySelector('button[name=logout]').click();</script>`,
  );
}

function signedOutPage(ctx: KoaContextWithOIDC): void {
  page(ctx, 'Signed out', '<h1>You are signed out</h1>');
}

function page(ctx: KoaContextWithOIDC, title: string, body: string): void {
  ctx.type = 'html';
  ctx.body = htmlPage(title, body);
}
