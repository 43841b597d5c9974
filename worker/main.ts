import { createDatabase } from '../db/database.ts';
import { readConfigOrExit } from '../infra/config.ts';
import { armCrashPoint } from '../infra/crash-point.ts';
import { createLogger } from '../infra/logger.ts';
import { createMailer } from '../infra/mailer.ts';
import { createOutbox } from '../infra/outbox.ts';
import { endGracefully } from '../infra/process.ts';
import { createQueueBackend } from '../infra/queue.ts';
import { requireSafeRedis } from '../infra/redis.ts';
import { createTokens } from '../infra/tokens.ts';
import { createPaypalGateway } from '../providers/paypal/gateway.ts';
import { createStripeGateway } from '../providers/stripe/gateway.ts';
import { workerReadiness } from './health.ts';
import { startWorker } from './worker.ts';

const config = readConfigOrExit();
armCrashPoint(config.crashAt);
const logger = createLogger('worker', config.logLevel);
const onError = (error: Error) => logger.warn({ err: error }, 'connection error');

if (config.production && config.redisUrl) await requireSafeRedis(config.redisUrl);

const db = createDatabase(config.databaseUrl, {
  poolMax: config.databasePoolMax,
  applicationName: 'querywright worker',
  onError,
});
const backend = createQueueBackend({ ...config, onError });
const outbox = createOutbox(db, backend, logger);
const mailer = createMailer(config.mail);
const stripe = createStripeGateway(config.stripe, config.deployment);
const paypal = createPaypalGateway(config.paypal, config.deployment, config.publicUrl);
const worker = startWorker({
  config,
  db,
  logger,
  backend,
  outbox,
  stripe,
  paypal,
  gateways: { stripe, paypal },
  mailer,
  tokens: createTokens(config.sessionSecrets),
});
logger.info({ queue: backend.kind }, 'worker ready');

// Loaded only where it is served, and without holding up the rest: it brings express and the queue dashboard along.
const operatorPort = config.metrics.workerPort;
const operators =
  operatorPort === undefined
    ? undefined
    : import('../infra/operator-server.ts').then(({ startOperatorServer }) => {
        const parts = { config, db, outbox, logger, readiness: () => workerReadiness({ db, outbox }) };
        return startOperatorServer(parts, operatorPort);
      });

endGracefully(logger, async () => {
  await (await operators)?.close();
  await worker.close();
  await outbox.close();
  await backend.close();
  mailer.close();
  await db.destroy();
});
