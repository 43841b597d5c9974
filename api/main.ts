import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { createDatabase } from '../db/database.ts';
import { readConfigOrExit } from '../infra/config.ts';
import { armCrashPoint } from '../infra/crash-point.ts';
import { createIdentityProvider } from '../infra/identity.ts';
import { createLogger } from '../infra/logger.ts';
import { listenToOrders } from '../infra/order-stream.ts';
import { createOutbox } from '../infra/outbox.ts';
import { endGracefully } from '../infra/process.ts';
import { createQueueBackend } from '../infra/queue.ts';
import { createRateLimits, noRateLimits } from '../infra/rate-limits.ts';
import { connectRedis, failFast } from '../infra/redis.ts';
import { createSessions } from '../infra/sessions.ts';
import { createTokens } from '../infra/tokens.ts';
import { createPaypalGateway } from '../providers/paypal/gateway.ts';
import { createStripeGateway } from '../providers/stripe/gateway.ts';
import { createApp } from './app.ts';
import { webReadiness } from './health.ts';
import { closeServer } from './http/close-server.ts';
import { answerBrokenRequests, serverOptions } from './http/http-server.ts';

const config = readConfigOrExit();
armCrashPoint(config.crashAt);
const logger = createLogger('web', config.logLevel);
const onError = (error: Error) => logger.warn({ err: error }, 'connection error');

const db = createDatabase(config.databaseUrl, {
  poolMax: config.databasePoolMax,
  applicationName: 'querywright web',
  onError,
});
const backend = createQueueBackend({ ...config, onError });
const outbox = createOutbox(db, backend, logger);
const orderStream = listenToOrders(config.databaseUrl, logger);
const redis = config.redisUrl ? connectRedis(config.redisUrl, failFast, onError) : undefined;
const sessions = createSessions({ ...config, redis, logger });
// Beside the compiled api/ lies the built site; the sources run with the site of the last build, or without one.
const siteFolder = ['../web', '../dist/web']
  .map((folder) => path.resolve(import.meta.dirname, folder))
  .find((folder) => existsSync(path.join(folder, 'static')));

const app = createApp({
  config,
  db,
  logger,
  outbox,
  orderStream,
  stripe: createStripeGateway(config.stripe, config.deployment),
  paypal: createPaypalGateway(config.paypal, config.deployment, config.publicUrl),
  rateLimits: config.rateLimits ? createRateLimits({ redis, db }) : noRateLimits,
  tokens: createTokens(config.sessionSecrets),
  identity: createIdentityProvider(config.oidc, config.publicUrl),
  sessions,
  siteFolder,
});
if (config.stripe.webhookSecrets.length === 0) logger.warn('no Stripe webhook secret: the endpoint is off');
if (!config.paypal.webhookId) logger.warn('no PayPal webhook id: the endpoint is off');

const server = createServer(serverOptions, app);
answerBrokenRequests(server, config);
server.listen(config.port, () => logger.info({ port: config.port, queue: backend.kind }, 'web ready'));
server.on('error', (error) => {
  logger.fatal({ err: error }, 'cannot listen');
  process.exit(1);
});

// Loaded only where it is served, and without holding up the rest: it brings the queue dashboard along.
const operatorPort = config.metrics.webPort;
const operators =
  operatorPort === undefined
    ? undefined
    : import('../infra/operator-server.ts').then(({ startOperatorServer }) => {
        const parts = {
          config,
          db,
          outbox,
          logger,
          readiness: () => webReadiness({ config, db, outbox, orderStream }),
        };
        return startOperatorServer(parts, operatorPort);
      });

endGracefully(logger, async () => {
  await (await operators)?.close();
  await orderStream.close();
  await closeServer(server);
  await outbox.close();
  await backend.close();
  await sessions.close();
  redis?.disconnect();
  await db.destroy();
});
