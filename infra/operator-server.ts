import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { Database } from '../db/database.ts';
import type { Config } from './config.ts';
import type { Logger } from './logger.ts';
import { collectProcessMetrics, registry } from './metrics.ts';
import { refreshGauges } from './metrics-gauges.ts';
import type { Outbox } from './outbox.ts';
import { queueDashboard } from './queue-dashboard.ts';
import type { Readiness } from './readiness.ts';

export interface OperatorParts {
  config: Pick<Config, 'metrics'>;
  db: Database;
  outbox: Outbox;
  logger: Logger;
  readiness: () => Promise<Readiness>;
}

export interface OperatorServer {
  port: number;
  close(): Promise<void>;
}

/**
 * The operators' side of a process, on a port of its own that the public must not reach: /healthz and /readyz for the
 * platform, and behind the token /metrics for Prometheus and /queues for people. Without a token (never in production)
 * only this machine is served. A port that is taken is logged; the process does its work all the same.
 */
export async function startOperatorServer(
  parts: OperatorParts,
  port: number,
): Promise<OperatorServer | undefined> {
  collectProcessMetrics();
  const server = createServer(createOperatorApp(parts));
  const host = parts.config.metrics.tokens.length > 0 ? undefined : '127.0.0.1';
  return new Promise((resolve) => {
    server.once('error', (error) => {
      parts.logger.error({ err: error, port }, 'the operators’ port is not served');
      resolve(undefined);
    });
    server.listen(port, host, () => {
      const address = server.address();
      const listening = typeof address === 'object' && address ? address.port : port;
      parts.logger.info({ port: listening }, 'operators’ port ready');
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

export function createOperatorApp(parts: OperatorParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(privatePage);
  app.get('/healthz', (_req, res) => void res.json({ status: 'ok' }));
  app.get('/readyz', async (_req, res) => {
    const answer = await parts.readiness();
    res.status(answer.missing.length === 0 ? 200 : 503).json(answer);
  });
  app.use(requireToken(parts), readOnly);
  app.get('/metrics', async (_req, res) => {
    await refreshGauges(parts);
    res.set('Content-Type', registry.contentType).send(await registry.metrics());
  });
  app.use('/queues', queueDashboard(parts.outbox));
  app.get('/', (_req, res) => res.redirect('/queues'));
  app.use(
    (_req, res) => void res.status(404).json({ message: 'There is /metrics, /queues, /healthz and /readyz' }),
  );
  app.use(((error, _req, res, next) => {
    if (res.headersSent) return next(error);
    parts.logger.error({ err: error }, 'the operators’ port failed');
    res.status(500).json({ message: 'This did not work; the log says why' });
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

/**
 * `Authorization: Bearer <token>`, or HTTP Basic with the token as password, for browsers. Several tokens: it is being
 * rotated.
 */
function requireToken({ config, logger }: OperatorParts): RequestHandler {
  const { tokens } = config.metrics;
  return function requireToken(req, res, next) {
    const given = credentialIn(req.headers.authorization);
    if (tokens.length === 0 || tokens.some((token) => isSame(given, token))) return next();
    // A browser asks without one first.
    if (given) logger.warn({ address: req.ip, path: req.path }, 'wrong token on the operators’ port');
    res.set('WWW-Authenticate', 'Basic realm="operators", charset="UTF-8"');
    res.status(401).json({ message: 'Send the METRICS_TOKEN as bearer token, or as password of any user' });
  };
}

function credentialIn(header = ''): string {
  const [scheme, value = ''] = header.split(' ');
  if (/^bearer$/i.test(scheme ?? '')) return value;
  if (!/^basic$/i.test(scheme ?? '')) return '';
  return Buffer.from(value, 'base64')
    .toString('utf8')
    .replace(/^[^:]*:/, '');
}

/** In a time that does not tell how much of it is right. */
function isSame(given: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(secret));
}

/** A browser sends its Basic credentials along with anything: nothing here may change anything. */
const readOnly: RequestHandler = function readOnly(req, res, next) {
  if (req.method === 'GET' || req.method === 'HEAD') return next();
  res.status(405).set('Allow', 'GET, HEAD').json({ message: 'This port only shows; npm run ops changes' });
};
