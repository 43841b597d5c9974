import { z } from 'zod';
import { queueNames } from '../core/jobs.ts';

const port = z.coerce.number('must be a port number').int().min(0).max(65_535);
const optional = z.string().trim().min(1).optional();
const flag = z.enum(['on', 'off']);
const traceProtocol = z.enum(['http/protobuf', 'http/json']);
const collector = z.url({ protocol: /^https?$/ });

/** Comma-separated. The first entry is current; the others are accepted during rotation. */
const list = z.string().transform((value) =>
  value
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean),
);

/** Verified addresses, or a claim and its value: `groups=operators`. */
const staff = list.pipe(
  z.array(
    z
      .string()
      .regex(/^([\w.:/-]+=.+|[^\s@=]+@[^\s@=]+)$/, 'must be addresses, or claims like groups=operators')
      .transform((entry) => (entry.includes('=') ? entry : entry.toLowerCase())),
  ),
);

/** node-postgres connects to one host and ignores `target_session_attrs`. */
const databaseUrl = z
  .string()
  .refine(namesOneHost, {
    error: 'must name one host, without target_session_attrs: put a proxy in front of several',
    abort: true,
  })
  .pipe(z.url({ protocol: /^postgres(ql)?$/ }));

function namesOneHost(url: string): boolean {
  const [server = '', query = ''] = url.split('?');
  const host = server.split('/')[2]?.split('@').pop() ?? '';
  return !host.includes(',') && !/(?:^|&)(?:host=[^&]*,|target_session_attrs=)/.test(query);
}

const days = z.coerce.number().int().min(0).max(36_500);

/** Every environment variable of the product, compared with `.env.example` by `scripts/check-docs.mjs`. */
export const environment = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
  DEPLOYMENT: z
    .string()
    .regex(/^[\w.-]{1,40}$/)
    .optional(),
  PORT: port.default(3000),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  TRUST_PROXY: z.string().default('loopback'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  LOG_FORMAT: z.enum(['json', 'pretty']).default('json'),
  METRICS_PORT: z.coerce.number('must be a port number').int().min(0).max(65_534).optional(),
  METRICS_TOKEN: list.optional(),

  DATABASE_URL: databaseUrl.optional(),
  LISTEN_DATABASE_URL: databaseUrl.optional(),
  DATABASE_POOL_MAX: z.coerce.number().int().min(2).max(200).default(10),
  REDIS_URL: z
    .string()
    .regex(
      /^(rediss?|rediss?\+cluster|rediss?\+sentinel):\/\//,
      'must start with redis://, rediss://, redis+cluster:// or redis+sentinel://',
    )
    .optional(),
  QUEUE_PREFIX: z
    .string()
    .regex(/^[\w-]{1,60}$/)
    .default('querywright'),

  ALLOW_UNENCRYPTED_CONNECTIONS: flag.default('off'),
  DRAIN_SECONDS: z.coerce.number().int().min(0).max(60).optional(),
  SESSION_SECRET: list.optional(),
  RATE_LIMITS: flag.default('on'),
  WORKER_QUEUES: list.pipe(z.array(z.enum(queueNames)).min(1)).default([...queueNames]),
  WORKER_CONCURRENCY: z.coerce.number().int().min(1).max(500).default(16),
  EMAIL_CONCURRENCY: z.coerce.number().int().min(1).max(100).default(5),

  RETENTION_JOBS_DAYS: days.default(30),
  RETENTION_EVENTS_DAYS: days.default(180),
  RETENTION_IGNORED_EVENTS_DAYS: days.default(30),
  RETENTION_RECIPIENTS_DAYS: days.default(90),
  RETENTION_SUBSCRIPTIONS_DAYS: days.default(30),
  RETENTION_ABANDONED_ORDERS_DAYS: days.default(30),
  RETENTION_MESSAGES_DAYS: days.default(365),

  STRIPE_SECRET_KEY: optional,
  STRIPE_PUBLISHABLE_KEY: optional,
  STRIPE_WEBHOOK_SECRET: list.optional(),

  PAYPAL_ENVIRONMENT: z.enum(['live', 'sandbox']).default('live'),
  PAYPAL_CLIENT_ID: optional,
  PAYPAL_CLIENT_SECRET: optional,
  PAYPAL_WEBHOOK_ID: z.string().trim().optional(),

  OIDC_ISSUER: z.url().optional(),
  OIDC_CLIENT_ID: optional,
  OIDC_CLIENT_SECRET: optional,
  OIDC_SCOPES: z.string().default('openid email profile'),
  OIDC_PICTURE_ORIGINS: list
    .pipe(
      z.array(z.string().regex(/^https:\/\/[\w.-]+(:\d+)?$/, 'must be like https://pictures.example.com')),
    )
    .default([]),

  DESK_VIEWERS: staff.optional(),
  DESK_OPERATORS: staff.optional(),

  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  SMTP_TLS: flag.optional(),
  MAIL_FROM: z.string().trim().min(3).optional(),
  STAFF_EMAIL: z.email().optional(),

  // Tracing, under the names that OpenTelemetry gives its settings; the SDK reads further ones itself.
  OTEL_SDK_DISABLED: optional,
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none']).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: traceProtocol.default('http/protobuf'),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: traceProtocol.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: optional,
  OTEL_SERVICE_NAME: optional,
  OTEL_RESOURCE_ATTRIBUTES: z
    .string()
    .regex(/^[^=,]+=[^=,]*(,[^=,]+=[^=,]*)*$/, 'must be like name=value,name=value, percent-encoded')
    .optional(),
  OTEL_TRACES_SAMPLER: z
    .string()
    .regex(/^(parentbased_)?(always_on|always_off|traceidratio)$/, 'must be one of OpenTelemetry’s samplers')
    .optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).optional(),

  SANDBOX_PORT: port.default(3100),
  SANDBOX_SMTP_PORT: port.default(3125),
  CRASH_AT: optional,
  /** Read by Node.js itself. */
  NODE_TLS_REJECT_UNAUTHORIZED: optional,
});
export type Environment = z.infer<typeof environment>;
