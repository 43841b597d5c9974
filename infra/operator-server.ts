import { createServer } from 'node:http';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { ReadinessReport } from '../core/health.ts';
import { clientKey } from './client-key.ts';
import type { Config } from './config.ts';
import { isEqualInConstantTime } from './constant-time.ts';
import type { Logger } from './logger.ts';
import { collectProcessMetrics, registry } from './metrics.ts';
import { type GaugeParts, refreshGauges } from './metrics-gauges.ts';
import { queueDashboard } from './queue-dashboard.ts';
import { readinessHandler } from './readiness.ts';

/** Per client, in seconds. */
const WRONG_TOKENS = { points: 10, duration: 60 };

export interface OperatorParts extends GaugeParts {
  processName: 'web' | 'worker';
  config: Pick<Config, 'metrics'>;
  logger: Logger;
  readiness: () => Promise<ReadinessReport>;
}

export interface OperatorServer {
  port: number;
  close(): Promise<void>;
}

/**
 * The operators' side of a process, on a separate port that the public must not reach: /healthz and /readyz, and behind
 * the token /metrics and /queues. Without a token (never in production) it listens on localhost only. A port that is
 * taken is logged; the process keeps running.
 */
export async function startOperatorServer(
  parts: OperatorParts,
  port: number,
): Promise<OperatorServer | undefined> {
  collectProcessMetrics(parts.processName);
  const server = createServer(createOperatorApp(parts));
  const host = parts.config.metrics.tokens.length > 0 ? undefined : '127.0.0.1';
  return new Promise((resolve) => {
    server.once('error', (error) => {
      parts.logger.error({ err: error, port }, 'operator port unavailable');
      resolve(undefined);
    });
    server.listen(port, host, () => {
      const address = server.address();
      const listening = typeof address === 'object' && address ? address.port : port;
      parts.logger.info({ port: listening }, 'operator port ready');
      resolve({
        port: listening,
        close: async () => {
          server.closeAllConnections();
          await new Promise((closed) => server.close(closed));
        },
      });
    });
  });
}

function createOperatorApp(parts: OperatorParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(privatePage);
  app.get('/healthz', (_req, res) => void res.json({ status: 'ok' }));
  app.get('/readyz', readinessHandler(parts.readiness));
  app.use(requireToken(parts), readOnly);
  app.get('/metrics', async (_req, res) => {
    await refreshGauges(parts);
    res.set('Content-Type', registry.contentType).send(await registry.metrics());
  });
  app.use('/queues', queueDashboard(parts.outbox));
  app.get('/', (_req, res) => res.redirect('/queues'));
  app.use(
    (_req, res) =>
      void res.status(404).json({ message: 'Not found. Use /metrics, /queues, /healthz or /readyz.' }),
  );
  app.use(((error, _req, res, next) => {
    if (res.headersSent) return next(error);
    parts.logger.error({ err: error }, 'operator request failed');
    res.status(500).json({ message: 'Internal server error; see the logs' });
  }) satisfies ErrorRequestHandler);
  return app;
}

const privatePage: RequestHandler = function privatePage(_req, res, next) {
  res.set({
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Content-Security-Policy':
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
      "font-src 'self'; connect-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'",
  });
  next();
};

/** `Authorization: Bearer <token>`, or HTTP Basic with the token as password, for browsers. */
function requireToken({ config, logger }: OperatorParts): RequestHandler {
  const { tokens } = config.metrics;
  const wrongTokens = new RateLimiterMemory(WRONG_TOKENS);
  return async function requireToken(req, res, next) {
    if (tokens.length === 0) return requireLocalName(req, res, next);
    const client = clientKey(req.ip);
    const used = await wrongTokens.get(client);
    if (used && used.remainingPoints <= 0) {
      res.set('Retry-After', String(Math.ceil(used.msBeforeNext / 1_000)));
      return void res.status(429).json({ message: 'Too many wrong tokens. Try again later.' });
    }
    const given = credentialIn(req.headers.authorization);
    if (tokens.some((token) => isEqualInConstantTime(given, token))) return next();
    // A browser's first request has no credentials.
    if (given) {
      await wrongTokens.penalty(client);
      logger.warn({ address: req.ip, path: req.path }, 'operator token rejected');
    }
    res.set('WWW-Authenticate', 'Basic realm="operators", charset="UTF-8"');
    res.status(401).json({ message: 'Send METRICS_TOKEN as a bearer token, or as the password of any user' });
  };
}

/** Without a token, keeps a page that the developer visits from reading this port by DNS rebinding. */
const requireLocalName: RequestHandler = function requireLocalName(req, res, next) {
  if (/^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(req.get('host') ?? '')) return next();
  res.status(421).json({ message: 'Use the host name localhost, or set METRICS_TOKEN.' });
};

function credentialIn(header = ''): string {
  const [scheme, value = ''] = header.split(' ');
  if (/^bearer$/i.test(scheme ?? '')) return value;
  if (!/^basic$/i.test(scheme ?? '')) return '';
  return Buffer.from(value, 'base64')
    .toString('utf8')
    .replace(/^[^:]*:/, '');
}

/** Browsers attach Basic credentials to cross-site requests too: nothing here may change state. */
const readOnly: RequestHandler = function readOnly(req, res, next) {
  if (req.method === 'GET' || req.method === 'HEAD') return next();
  res
    .status(405)
    .set('Allow', 'GET, HEAD')
    .json({ message: 'This port is read-only. Use npm run ops to make changes.' });
};
