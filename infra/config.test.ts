import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';
import { publishedDefaults } from './weaknesses.ts';

const production = {
  NODE_ENV: 'production',
  DEPLOYMENT: 'live',
  PUBLIC_URL: 'https://querywright.example/',
  DATABASE_URL: 'postgres://localhost/querywright',
  SESSION_SECRET: randomBytes(24).toString('base64url'),
  STRIPE_SECRET_KEY: 'sk_live_x',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_x',
  STRIPE_WEBHOOK_SECRET: `whsec_${randomBytes(24).toString('base64url')}`,
  PAYPAL_CLIENT_ID: 'id',
  PAYPAL_CLIENT_SECRET: 'secret',
  PAYPAL_WEBHOOK_ID: 'webhook',
  OIDC_ISSUER: 'https://login.example.com',
  OIDC_CLIENT_ID: 'querywright',
  OIDC_CLIENT_SECRET: 'secret',
  SMTP_URL: 'smtp://mail.example.com:587',
  MAIL_FROM: 'hello@querywright.example',
  STAFF_EMAIL: 'staff@querywright.example',
};

const orPrivate = 'or ALLOW_UNENCRYPTED_CONNECTIONS on where the network is private';

test('production starts with every setting present, without the sandbox', () => {
  const config = readConfig(production);
  expect(config).toMatchObject({ sandbox: false, publicUrl: 'https://querywright.example' });
  expect(JSON.stringify(config)).not.toContain('localhost:');
});

test('payments carry the deployment’s name, which production must set', () => {
  expect(readConfig(production).deployment).toBe('live');
  expect(problemsOf({ ...production, DEPLOYMENT: '' })).toEqual(['DEPLOYMENT is not set']);
});

test('Stripe.js, its package and the server’s API version belong to one release', () => {
  const [, release] = Stripe.API_VERSION.split('.');
  expect(readConfig(production).stripe.scriptUrl).toBe(`https://js.stripe.com/${release}/stripe.js`);
  const loader = readFileSync(
    new URL('../node_modules/@stripe/stripe-js/dist/index.mjs', import.meta.url),
    'utf8',
  );
  expect(/RELEASE_TRAIN = '(\w+)'/.exec(loader)?.[1]).toBe(release);
});

test.each([
  ['PUBLIC_URL', 'http://querywright.example', 'PUBLIC_URL must be https'],
  ['OIDC_ISSUER', 'http://login.example.com', 'OIDC_ISSUER must be https'],
  [
    'SESSION_SECRET',
    `${production.SESSION_SECRET},short-but-various`,
    'SESSION_SECRET must be at least 32 characters',
  ],
  ['RATE_LIMITS', 'off', 'RATE_LIMITS must not be off'],
  ['LOG_FORMAT', 'pretty', 'LOG_FORMAT must be json: pretty is for development'],
  ['CRASH_AT', 'before-order-commit', 'CRASH_AT is for fault tests only'],
  [
    'NODE_TLS_REJECT_UNAUTHORIZED',
    '0',
    'NODE_TLS_REJECT_UNAUTHORIZED must not be 0: no certificate would be verified',
  ],
  [
    'TRUST_PROXY',
    'true',
    'TRUST_PROXY must name the proxies or their number: true believes every X-Forwarded-For',
  ],
  [
    'SESSION_SECRET',
    'local session secret: not for production',
    'SESSION_SECRET is the published default of the sandbox',
  ],
  ['PAYPAL_WEBHOOK_ID', '1SANDBOXQUERYWRIGHT', 'PAYPAL_WEBHOOK_ID is the published default of the sandbox'],
  [
    'SESSION_SECRET',
    'x'.repeat(32),
    'SESSION_SECRET must be random: it has fewer than 10 different characters',
  ],
  [
    'TRUST_PROXY',
    '0.0.0.0/0',
    'TRUST_PROXY must name the proxies or their number: true believes every X-Forwarded-For',
  ],
  ['STRIPE_SECRET_KEY', 'pk_live_x', 'STRIPE_SECRET_KEY must be a secret key (sk_ or rk_) of live mode'],
  ['STRIPE_SECRET_KEY', 'sk_test_x', 'STRIPE_SECRET_KEY must be a secret key (sk_ or rk_) of live mode'],
  [
    'STRIPE_PUBLISHABLE_KEY',
    'sk_live_x',
    'STRIPE_PUBLISHABLE_KEY must be a publishable key (pk_) of live mode',
  ],
  ['PAYPAL_ENVIRONMENT', 'sandbox', 'PAYPAL_ENVIRONMENT must be live, unless DEPLOYMENT names a test'],
  [
    'DATABASE_URL',
    'postgres://querywright:secret@localhost/x',
    'DATABASE_URL has the password of the published example',
  ],
  ['DATABASE_URL', 'postgres://db.example.com/x', `DATABASE_URL must have sslmode=verify-full, ${orPrivate}`],
  [
    'LISTEN_DATABASE_URL',
    'postgres://db.example.com/x',
    `LISTEN_DATABASE_URL must have sslmode=verify-full, ${orPrivate}`,
  ],
  [
    'DATABASE_URL',
    'postgres://db.example.com/x?sslmode=no-verify',
    `DATABASE_URL must have sslmode=verify-full, ${orPrivate}`,
  ],
  ...[
    'postgres://db.example.com/x?uselibpqcompat=true&sslmode=require',
    'postgres://db.example.com/x?uselibpqcompat=true&sslmode=verify-ca&sslrootcert=/dev/null',
    'postgres://db.example.com/x?sslmode=verify-full&sslmode=disable',
    'postgres://db.example.com/x?sslmode=verify-full&sslmode=no-verify',
    'postgres://localhost/x?host=db.example.com',
    'postgres://localhost/x?host=/run/postgresql&host=db.example.com',
  ].map(
    (url) =>
      ['DATABASE_URL', url, `DATABASE_URL must have sslmode=verify-full, ${orPrivate}`] as [
        string,
        string,
        string,
      ],
  ),
  ...['ignoreTLS=true', 'requireTLS=false', 'tls.rejectUnauthorized=false'].map(
    (query) =>
      ['SMTP_URL', `smtp://mail.example.com:587?${query}`, 'SMTP_URL must not set options of TLS'] as [
        string,
        string,
        string,
      ],
  ),
  ...['DESK_VIEWERS', 'DESK_OPERATORS'].map(
    (name) =>
      [
        name,
        'groups=staff,email=olive@example.com',
        'DESK_VIEWERS and DESK_OPERATORS must name addresses without email=: only verified ones count',
      ] as [string, string, string],
  ),
  ['REDIS_URL', 'redis://redis.example.com:6379', `REDIS_URL must be rediss://, ${orPrivate}`],
  [
    'REDIS_URL',
    'redis+cluster://localhost:1,redis.example.com:2',
    `REDIS_URL must be rediss://, ${orPrivate}`,
  ],
  ['SMTP_TLS', 'off', `SMTP_TLS must not be off, ${orPrivate}`],
  [
    'PUBLIC_URL',
    'https://user:pw@querywright.example',
    'PUBLIC_URL must be an origin, without path, query or credentials',
  ],
  [
    'STRIPE_WEBHOOK_SECRET',
    'whsec_too-short',
    'STRIPE_WEBHOOK_SECRET must be like whsec_… with at least 24 characters',
  ],
  [
    'PUBLIC_URL',
    'https://querywright.example/shop',
    'PUBLIC_URL must be an origin, without path, query or credentials',
  ],
])('production refuses %s=%s', (name, value, problem) => {
  expect(problemsOf({ ...production, [name]: value })).toEqual([problem]);
});

test.each<Record<string, string>>([
  {
    DATABASE_URL: 'postgres://db.example.com/x?sslmode=verify-full',
    REDIS_URL: 'rediss://redis.example.com',
  },
  { DATABASE_URL: 'postgres:///x?host=/run/postgresql', REDIS_URL: 'redis://:pw@127.0.0.1:6379/0' },
  { DATABASE_URL: 'postgres://postgres/x', REDIS_URL: 'redis://redis', ALLOW_UNENCRYPTED_CONNECTIONS: 'on' },
  {
    DEPLOYMENT: 'staging',
    STRIPE_SECRET_KEY: 'sk_test_x',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_x',
    PAYPAL_ENVIRONMENT: 'sandbox',
  },
])('production accepts %j', (settings) => {
  expect(problemsOf({ ...production, ...settings })).toEqual([]);
});

test.each([
  'postgres://u:p@a:5432,b:5432/shop',
  'postgres://a,b/shop',
  'postgres:///shop?host=a,b',
  'postgres://localhost/shop?sslmode=require&target_session_attrs=read-write',
])('options that the driver ignores are refused: %s', (url) => {
  const problem = 'must name one host, without target_session_attrs: put a proxy in front of several';
  for (const name of ['DATABASE_URL', 'LISTEN_DATABASE_URL'])
    expect(problemsOf({ ...production, [name]: url })).toEqual([`${name}: ${problem}`]);
  expect(problemsOf({ ...production, DATABASE_URL: 'postgres://u:a,b@localhost/shop,2' })).toEqual([]);
});

test('a Unix socket is accepted as the way to the database', () => {
  const url = 'postgres://u:p@localhost/shop?host=/cloudsql/project:region:instance';
  expect(problemsOf({ ...production, DATABASE_URL: url })).toEqual([]);
});

test('every published default is refused', () => {
  const problems = problemsOf({ ...production, DEPLOYMENT: 'test', ...publishedDefaults });
  for (const name of Object.keys(publishedDefaults))
    expect(problems).toContain(`${name} is the published default of the sandbox`);
});

test('every missing setting is reported at once', () => {
  const problems = problemsOf({ NODE_ENV: 'production' });
  expect(problems).toHaveLength(Object.keys(production).length - 1);
  expect(problems).toContain('OIDC_ISSUER is not set');
});

test('profile pictures are allowed from the configured origins, and locally from the sandbox', () => {
  const origins = (env: Record<string, string>) => readConfig(env).oidc.pictureOrigins;
  expect(origins({ ...production, OIDC_PICTURE_ORIGINS: 'https://a.example, https://b.example' })).toEqual([
    'https://a.example',
    'https://b.example',
  ]);
  expect(origins(production)).toEqual([]);
  expect(origins({ DATABASE_URL: production.DATABASE_URL })).toEqual(['http://localhost:3100']);
  expect(problemsOf({ ...production, OIDC_PICTURE_ORIGINS: 'https:' })).toHaveLength(1);
});

test('the operators’ port needs a strong token in production', () => {
  const problem = 'METRICS_PORT needs a METRICS_TOKEN of at least 16 characters';
  expect(problemsOf({ ...production, METRICS_PORT: '9464' })).toEqual([problem]);
  expect(problemsOf({ ...production, METRICS_PORT: '9464', METRICS_TOKEN: 'abcdefghijkl' })).toEqual([
    problem,
  ]);
  expect(
    problemsOf({ ...production, METRICS_PORT: '9464', METRICS_TOKEN: `${token()},y-short-token` }),
  ).toEqual([problem]);
  const rotating = `${token()},${token()}`;
  expect(problemsOf({ ...production, METRICS_PORT: '9464', METRICS_TOKEN: rotating })).toEqual([]);
});

test('web and worker on one machine use adjacent operators’ ports', () => {
  const { DATABASE_URL } = production;
  const served = { webPort: 9464, workerPort: 9465 };
  expect(readConfig({ DATABASE_URL, METRICS_PORT: '9464' }).metrics).toMatchObject(served);
  const off = { webPort: undefined, workerPort: undefined };
  expect(readConfig({ DATABASE_URL }).metrics).toMatchObject(off);
});

const token = () => randomBytes(12).toString('base64url');

function problemsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example:4318' };
test.each<[string, Record<string, string>, string | undefined]>([
  ['no setting', {}, undefined],
  ['a service name alone', { OTEL_SERVICE_NAME: 'shop' }, undefined],
  ['a collector', collector, 'http/protobuf'],
  [
    'a collector of traces',
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://localhost:4318/v1/traces' },
    'http/protobuf',
  ],
  ['an exporter, which has a default address', { OTEL_TRACES_EXPORTER: 'otlp' }, 'http/protobuf'],
  ['JSON', { ...collector, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }, 'http/json'],
  ['JSON for traces', { ...collector, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json' }, 'http/json'],
  ['no exporter', { ...collector, OTEL_TRACES_EXPORTER: 'none' }, undefined],
  ['a disabled SDK', { ...collector, OTEL_SDK_DISABLED: 'True' }, undefined],
  ['an SDK that is not disabled', { ...collector, OTEL_SDK_DISABLED: 'false' }, 'http/protobuf'],
])('traces with %s', (_what, env, protocol) => {
  expect(readConfig({ ...production, ...env }).tracing?.protocol).toBe(protocol);
});

test('tracing settings that would have no effect are refused', () => {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_RESOURCE_ATTRIBUTES: 'team',
    OTEL_TRACES_SAMPLER: 'jaeger_remote',
    OTEL_TRACES_SAMPLER_ARG: '5',
  };
  expect(problemsOf({ ...production, ...env }).map((problem) => problem.split(':')[0])).toEqual(
    Object.keys(env),
  );
  const remote = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318' };
  expect(problemsOf({ ...production, ...remote })).toEqual([
    `OTEL_EXPORTER_OTLP_ENDPOINT must be https, ${orPrivate}`,
  ]);
  expect(readConfig({ ...production, ...remote, ALLOW_UNENCRYPTED_CONNECTIONS: 'on' }).tracing).toBeDefined();
});
