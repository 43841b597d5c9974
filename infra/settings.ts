import type { QueueName } from '../core/jobs.ts';
import type { Retention } from '../core/retention.ts';
import type { StaffSettings } from '../core/staff.ts';
import type { Environment } from './environment.ts';
import { type TraceSettings, traceSettings } from './trace-settings.ts';
import { publishedDefaults } from './weaknesses.ts';

export interface Config {
  production: boolean;
  refusedInProduction: string[];
  /** Name of this deployment. Payments carry it, so deployments can share a provider account. */
  deployment: string;
  port: number;
  publicUrl: string;
  sandbox: boolean;
  trustProxy: string | number | boolean;
  logLevel: string;
  logFormat: 'json' | 'pretty';
  /** The operators' ports; undefined: off. The worker's is the next one, since npm start runs both on one machine. */
  metrics: { webPort: number | undefined; workerPort: number | undefined; tokens: string[] };
  databaseUrl: string;
  /** The server itself, for what needs a dedicated session; differs from `databaseUrl` only behind a pooler. */
  listenDatabaseUrl: string;
  /** Whether `databaseUrl` is a pooler's, which takes no settings per connection. */
  isDatabasePooled: boolean;
  databasePoolMax: number;
  redisUrl: string | undefined;
  /** How long a stopping web process keeps serving while `/readyz` is 503. */
  drainMs: number;
  queuePrefix: string;
  sessionSecrets: string[];
  rateLimits: boolean;
  workerQueues: QueueName[];
  workerConcurrency: number;
  retention: Retention;
  stripe: {
    secretKey: string;
    publishableKey: string;
    /** Empty: the webhook endpoint is off. Several: the secret is being rotated. */
    webhookSecrets: string[];
    scriptUrl: string;
    /** Overrides Stripe's address, for the sandbox. */
    api: { protocol: 'http'; host: string; port: number } | undefined;
  };
  paypal: {
    environment: 'live' | 'sandbox';
    clientId: string;
    clientSecret: string;
    webhookId: string;
    scriptUrl: string;
    apiUrl: string;
    local: boolean;
  };
  oidc: {
    issuer: string;
    clientId: string;
    clientSecret: string;
    scopes: string;
    /** Hosts that profile pictures may come from; others are not shown. */
    pictureOrigins: string[];
    local: boolean;
  };
  /** Who may use the desk; off if empty. */
  staff: StaffSettings;
  mail: {
    smtpUrl: string;
    maxConnections: number;
    /** Whether to refuse a connection without TLS. */
    requireTls: boolean;
    from: string;
    staff: string;
  };
  tracing: TraceSettings | undefined;
  crashAt: string | undefined;
}

export function toConfig(env: Environment, refusedInProduction: string[]): Config {
  const sandboxUrl = `http://localhost:${env.SANDBOX_PORT}`;
  const local = { stripe: !env.STRIPE_SECRET_KEY, paypal: !env.PAYPAL_CLIENT_ID, oidc: !env.OIDC_ISSUER };
  const publicUrl = (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/\/$/, '');
  const paypalHost = env.PAYPAL_ENVIRONMENT === 'live' ? 'paypal.com' : 'sandbox.paypal.com';
  return {
    production: env.NODE_ENV === 'production',
    refusedInProduction,
    deployment: env.DEPLOYMENT ?? env.NODE_ENV,
    port: env.PORT,
    publicUrl,
    sandbox: local.stripe || local.paypal,
    trustProxy: trustProxy(env.TRUST_PROXY),
    logLevel: env.LOG_LEVEL,
    logFormat: env.LOG_FORMAT,
    metrics: {
      webPort: env.METRICS_PORT,
      workerPort: env.METRICS_PORT && env.METRICS_PORT + 1,
      tokens: env.METRICS_TOKEN ?? [],
    },
    databaseUrl: env.DATABASE_URL ?? '',
    listenDatabaseUrl: env.LISTEN_DATABASE_URL ?? env.DATABASE_URL ?? '',
    isDatabasePooled: env.LISTEN_DATABASE_URL !== undefined,
    databasePoolMax: env.DATABASE_POOL_MAX,
    redisUrl: env.REDIS_URL,
    drainMs: (env.DRAIN_SECONDS ?? (env.NODE_ENV === 'production' ? 3 : 0)) * 1_000,
    queuePrefix: env.QUEUE_PREFIX,
    sessionSecrets: env.SESSION_SECRET ?? [publishedDefaults.SESSION_SECRET],
    rateLimits: env.RATE_LIMITS === 'on',
    workerQueues: env.WORKER_QUEUES,
    workerConcurrency: env.WORKER_CONCURRENCY,
    retention: {
      jobs: env.RETENTION_JOBS_DAYS,
      events: env.RETENTION_EVENTS_DAYS,
      ignoredEvents: env.RETENTION_IGNORED_EVENTS_DAYS,
      recipients: env.RETENTION_RECIPIENTS_DAYS,
      subscriptions: env.RETENTION_SUBSCRIPTIONS_DAYS,
      abandonedOrders: env.RETENTION_ABANDONED_ORDERS_DAYS,
      messages: env.RETENTION_MESSAGES_DAYS,
    },
    stripe: {
      secretKey: env.STRIPE_SECRET_KEY ?? publishedDefaults.STRIPE_SECRET_KEY,
      publishableKey: env.STRIPE_PUBLISHABLE_KEY ?? publishedDefaults.STRIPE_PUBLISHABLE_KEY,
      webhookSecrets: env.STRIPE_WEBHOOK_SECRET ?? [publishedDefaults.STRIPE_WEBHOOK_SECRET],
      scriptUrl: local.stripe ? `${sandboxUrl}/stripe/v3/` : 'https://js.stripe.com/endive/stripe.js',
      api: local.stripe ? { protocol: 'http', host: '127.0.0.1', port: env.SANDBOX_PORT } : undefined,
    },
    paypal: {
      environment: env.PAYPAL_ENVIRONMENT,
      clientId: env.PAYPAL_CLIENT_ID ?? publishedDefaults.PAYPAL_CLIENT_ID,
      clientSecret: env.PAYPAL_CLIENT_SECRET ?? publishedDefaults.PAYPAL_CLIENT_SECRET,
      webhookId: env.PAYPAL_WEBHOOK_ID ?? publishedDefaults.PAYPAL_WEBHOOK_ID,
      scriptUrl: local.paypal
        ? `${sandboxUrl}/paypal/web-sdk/v6/core`
        : `https://www.${paypalHost}/web-sdk/v6/core`,
      apiUrl: local.paypal ? `${sandboxUrl}/paypal` : `https://api-m.${paypalHost}`,
      local: local.paypal,
    },
    oidc: {
      issuer: env.OIDC_ISSUER ?? `${sandboxUrl}/oidc`,
      clientId: env.OIDC_CLIENT_ID ?? 'querywright',
      clientSecret: env.OIDC_CLIENT_SECRET ?? publishedDefaults.OIDC_CLIENT_SECRET,
      scopes: env.OIDC_SCOPES,
      pictureOrigins: local.oidc && publicUrl.startsWith('http:') ? [sandboxUrl] : env.OIDC_PICTURE_ORIGINS,
      local: local.oidc,
    },
    staff: {
      viewers: env.DESK_VIEWERS ?? (local.oidc ? ['vera.holm@querywright.example'] : []),
      operators:
        env.DESK_OPERATORS ??
        (local.oidc ? ['olive.park@querywright.example', 'marcus.webb@querywright.example'] : []),
    },
    mail: {
      maxConnections: env.EMAIL_CONCURRENCY,
      smtpUrl: env.SMTP_URL ?? `smtp://localhost:${env.SANDBOX_SMTP_PORT}`,
      requireTls: (env.SMTP_TLS ?? (env.NODE_ENV === 'production' ? 'on' : 'off')) === 'on',
      from: env.MAIL_FROM ?? 'Querywright <hello@querywright.example>',
      staff: env.STAFF_EMAIL ?? 'staff@querywright.example',
    },
    tracing: traceSettings(env),
    crashAt: env.CRASH_AT,
  };
}

function trustProxy(value: string): string | number | boolean {
  if (value === 'true' || value === 'false') return value === 'true';
  return /^\d+$/.test(value) ? Number(value) : value;
}
