import type { ConnectionOptions } from 'node:tls';
import pg from 'pg';
import type { Environment } from './environment.ts';

/** Published in this repository. */
export const publishedDefaults = {
  SESSION_SECRET: 'local session secret: not for production',
  STRIPE_SECRET_KEY: 'sk_test_sandbox',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_sandbox',
  STRIPE_WEBHOOK_SECRET: 'whsec_sandbox',
  PAYPAL_CLIENT_ID: 'sandbox-client-id',
  PAYPAL_CLIENT_SECRET: 'sandbox-client-secret',
  PAYPAL_WEBHOOK_ID: '1SANDBOXQUERYWRIGHT',
  OIDC_CLIENT_SECRET: 'sandbox-oidc-secret',
} as const satisfies Partial<Record<keyof Environment, string>>;

/** The password in the example of `.env.example`. */
const PUBLISHED_DATABASE_PASSWORD = 'secret';
const MIN_DISTINCT_CHARACTERS = 10;

/** Settings that production refuses: values that are published or guessable, and those that leave data unprotected. */
export function weaknesses(env: Environment): string[] {
  if (env.NODE_ENV !== 'production') return [];
  return [...published(env), ...guessable(env), ...wrongKeys(env), ...unsafe(env), ...unencrypted(env)];
}

function published(env: Environment): string[] {
  const problems: string[] = [];
  for (const name of Object.keys(publishedDefaults) as (keyof typeof publishedDefaults)[]) {
    const values = [env[name] ?? []].flat();
    if (values.some((value) => publishedDefaults[name] === value))
      problems.push(`${name} is the published default of the sandbox`);
  }
  if (env.DATABASE_URL && new URL(env.DATABASE_URL).password === PUBLISHED_DATABASE_PASSWORD)
    problems.push('DATABASE_URL has the password of the published example');
  return problems;
}

function guessable(env: Environment): string[] {
  const problems: string[] = [];
  const { SESSION_SECRET: sessions, METRICS_TOKEN: tokens = [], STRIPE_WEBHOOK_SECRET: webhooks = [] } = env;
  if (sessions && (sessions.length === 0 || sessions.some((secret) => secret.length < 32)))
    problems.push('SESSION_SECRET must be at least 32 characters');
  if (webhooks.some((secret) => !/^whsec_.{24,}$/.test(secret)))
    problems.push('STRIPE_WEBHOOK_SECRET must be like whsec_… with at least 24 characters');
  const guarded = tokens.length > 0 && tokens.every((token) => token.length >= 16);
  if (env.METRICS_PORT !== undefined && !guarded)
    problems.push('METRICS_PORT needs a METRICS_TOKEN of at least 16 characters');
  const random = { SESSION_SECRET: sessions ?? [], METRICS_TOKEN: tokens, STRIPE_WEBHOOK_SECRET: webhooks };
  for (const [name, secrets] of Object.entries(random)) {
    if (secrets.some((secret) => new Set(secret).size < MIN_DISTINCT_CHARACTERS))
      problems.push(
        `${name} must be random: it has fewer than ${MIN_DISTINCT_CHARACTERS} different characters`,
      );
  }
  return problems;
}

/** Keys of the wrong kind, and test keys unless the deployment's name contains 'test' or 'staging'. */
function wrongKeys(env: Environment): string[] {
  const problems: string[] = [];
  const mode = /test|staging/i.test(env.DEPLOYMENT ?? '') ? '(live|test)' : 'live';
  const shown = mode === 'live' ? 'live' : 'live or test';
  if (env.STRIPE_SECRET_KEY && !new RegExp(`^(sk|rk)_${mode}_`).test(env.STRIPE_SECRET_KEY))
    problems.push(`STRIPE_SECRET_KEY must be a secret key (sk_ or rk_) of ${shown} mode`);
  if (env.STRIPE_PUBLISHABLE_KEY && !new RegExp(`^pk_${mode}_`).test(env.STRIPE_PUBLISHABLE_KEY))
    problems.push(`STRIPE_PUBLISHABLE_KEY must be a publishable key (pk_) of ${shown} mode`);
  if (mode === 'live' && env.PAYPAL_ENVIRONMENT !== 'live')
    problems.push('PAYPAL_ENVIRONMENT must be live, unless DEPLOYMENT names a test');
  return problems;
}

function unsafe(env: Environment): string[] {
  const problems: string[] = [];
  if (env.PUBLIC_URL && !env.PUBLIC_URL.startsWith('https://')) problems.push('PUBLIC_URL must be https');
  if (env.PUBLIC_URL && new URL(env.PUBLIC_URL).href !== `${new URL(env.PUBLIC_URL).origin}/`)
    problems.push('PUBLIC_URL must be an origin, without path, query or credentials');
  if (env.OIDC_ISSUER && !env.OIDC_ISSUER.startsWith('https://')) problems.push('OIDC_ISSUER must be https');
  if (env.RATE_LIMITS === 'off') problems.push('RATE_LIMITS must not be off');
  if (env.LOG_FORMAT === 'pretty') problems.push('LOG_FORMAT must be json: pretty is for development');
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0')
    problems.push('NODE_TLS_REJECT_UNAUTHORIZED must not be 0: no certificate would be verified');
  if (env.CRASH_AT) problems.push('CRASH_AT is for fault tests only');
  const smtpOptions = [...new URL(env.SMTP_URL ?? 'smtp:').searchParams.keys()];
  if (smtpOptions.some((name) => /tls|^secure$/i.test(name)))
    problems.push('SMTP_URL must not set options of TLS');
  const staff = [...(env.DESK_VIEWERS ?? []), ...(env.DESK_OPERATORS ?? [])];
  if (staff.some((entry) => entry.startsWith('email=')))
    problems.push(
      'DESK_VIEWERS and DESK_OPERATORS must name addresses without email=: only verified ones count',
    );
  if (env.TRUST_PROXY === 'true' || /\/0\b/.test(env.TRUST_PROXY))
    problems.push('TRUST_PROXY must name the proxies or their number: true believes every X-Forwarded-For');
  return problems;
}

/** Connections that leave this machine without TLS, or without verifying the certificate. */
function unencrypted(env: Environment): string[] {
  if (env.ALLOW_UNENCRYPTED_CONNECTIONS === 'on') return [];
  const unprotected = [
    ...(['DATABASE_URL', 'LISTEN_DATABASE_URL'] as const).flatMap((name) => {
      const url = env[name];
      return url && !isEncryptedDatabase(url) ? [`${name} must have sslmode=verify-full`] : [];
    }),
    ...(env.REDIS_URL && !isEncryptedRedis(env.REDIS_URL) ? ['REDIS_URL must be rediss://'] : []),
    ...(env.SMTP_URL && env.SMTP_TLS === 'off' && !isLocal(new URL(env.SMTP_URL).hostname)
      ? ['SMTP_TLS must not be off']
      : []),
    ...(['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] as const).flatMap((name) => {
      const url = env[name];
      return url?.startsWith('http:') && !isLocal(new URL(url).hostname) ? [`${name} must be https`] : [];
    }),
  ];
  return unprotected.map(
    (problem) => `${problem}, or ALLOW_UNENCRYPTED_CONNECTIONS on where the network is private`,
  );
}

/** Judges the address as the driver parses it, which settles repeated and overriding parameters. */
function isEncryptedDatabase(url: string): boolean {
  const client = asClient(url);
  if (!client) return false;
  if (isLocal(client.host) || client.host.startsWith('/')) return true;
  const ssl = client.ssl as boolean | ConnectionOptions | undefined;
  if (typeof ssl !== 'object') return ssl === true;
  return ssl.rejectUnauthorized !== false && ssl.checkServerIdentity === undefined;
}

/** Undefined for an address that the driver refuses. Nothing is connected. */
function asClient(url: string): pg.Client | undefined {
  try {
    return new pg.Client(url);
  } catch {
    return undefined;
  }
}

/** Cluster and sentinel addresses name several hosts. */
function isEncryptedRedis(url: string): boolean {
  if (url.startsWith('rediss')) return true;
  const [, hosts = ''] = /^[\w+]+:\/\/(?:[^@/]*@)?([^/?]*)/.exec(url) ?? [];
  return hosts.split(',').every((host) => isLocal(host.replace(/:\d+$/, '')));
}

function isLocal(hostname: string): boolean {
  return (
    hostname === '' || hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
  );
}
