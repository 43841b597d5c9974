import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { type RunningSandbox, startSandbox } from '@querywright/sandbox/testing';
import { inject } from 'vitest';
import { createApp } from '../api/app.ts';
import { closeServer } from '../api/http/close-server.ts';
import { answerBrokenRequests, serverOptions } from '../api/http/http-server.ts';
import type { ApiParts } from '../api/parts.ts';
import { createDatabase, type Database } from '../db/database.ts';
import { seedSandboxPeople } from '../db/sandbox-people.ts';
import { type Config, readConfig } from '../infra/config.ts';
import { createIdentityProvider } from '../infra/identity.ts';
import { createLogger } from '../infra/logger.ts';
import { createMailer } from '../infra/mailer.ts';
import { listenToOrders } from '../infra/order-stream.ts';
import { createOutbox, type Outbox } from '../infra/outbox.ts';
import { createQueueBackend } from '../infra/queue.ts';
import { noRateLimits } from '../infra/rate-limits.ts';
import { connectRedis, failFast } from '../infra/redis.ts';
import { createSessions } from '../infra/sessions.ts';
import { createTokens } from '../infra/tokens.ts';
import { createPaypalGateway } from '../providers/paypal/gateway.ts';
import { createStripeGateway } from '../providers/stripe/gateway.ts';
import type { WorkerParts } from '../worker/parts.ts';
import { type RunningWorker, startWorker } from '../worker/worker.ts';
import { checkAnswers } from './api-contract.ts';
import { createTestDatabase } from './databases.ts';

/** The product in one process, on a database of its own, with the sandbox as the outside world. */
export interface Shop {
  url: string;
  db: Database;
  config: Config;
  sandbox: RunningSandbox;
  outbox: Outbox;
  api: ApiParts;
  workerParts: WorkerParts;
  /** Starts (another) worker; a shop begins without one. */
  startWorker(): RunningWorker;
  close(): Promise<void>;
}

export interface ShopOptions {
  env?: Record<string, string>;
  /** Serves the built site too, for a browser. */
  site?: boolean;
  /** Replaces parts of the API, e.g. the rate limits. */
  parts?: (parts: ApiParts) => Partial<ApiParts>;
}

/** Starts a shop on the run's backend (`inject('backend')`): PostgreSQL alone, or with Redis. */
export async function startShop({
  env = {},
  site = false,
  parts = () => ({}),
}: ShopOptions = {}): Promise<Shop> {
  const sandbox = await startSandbox();
  const databaseUrl = env.DATABASE_URL ?? (await createTestDatabase(inject('postgresUrl')));
  const redisUrl = inject('backend') === 'redis' ? inject('redisUrl') : undefined;
  const server = createServer(serverOptions);
  const sitePort = await listen(server);
  const config = readConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: process.env.TEST_LOG ?? 'silent',
    PORT: String(sitePort),
    DATABASE_URL: databaseUrl,
    SANDBOX_PORT: String(sandbox.port),
    SANDBOX_SMTP_PORT: String(sandbox.smtpPort),
    // Queues of its own, since all shops share one Redis.
    QUEUE_PREFIX: new URL(databaseUrl).pathname.slice(1),
    ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
    ...env,
  });
  sandbox.config.siteUrl = `http://localhost:${sitePort}`;

  const logger = createLogger('test', config.logLevel);
  const onError = (error: Error) => logger.warn({ err: error }, 'connection error');
  const db = createDatabase(config.databaseUrl, { poolMax: 20, onError });
  if (config.oidc.local) await seedSandboxPeople(db, config.oidc.issuer);
  const backend = createQueueBackend({ ...config, onError });
  const outbox = createOutbox(db, backend, logger);
  const orderStream = listenToOrders(config.databaseUrl, logger);
  const stripe = createStripeGateway(config.stripe, config.deployment);
  const paypal = createPaypalGateway(config.paypal, config.deployment, config.publicUrl);
  const mailer = createMailer(config.mail);
  const tokens = createTokens(config.sessionSecrets);
  const redis = redisUrl ? connectRedis(redisUrl, failFast, onError) : undefined;
  const sessions = createSessions({ ...config, redis, logger });
  const base: ApiParts = {
    config,
    db,
    logger,
    outbox,
    orderStream,
    stripe,
    paypal,
    rateLimits: noRateLimits,
    tokens,
    identity: createIdentityProvider(config.oidc, config.publicUrl),
    sessions,
    siteFolder: site ? path.resolve(import.meta.dirname, '../dist/web') : undefined,
  };
  const api = { ...base, ...parts(base) };
  server.on('request', checkAnswers(createApp(api)));
  answerBrokenRequests(server, config);

  const workerParts: WorkerParts = {
    config,
    db,
    logger,
    backend,
    outbox,
    stripe,
    paypal,
    gateways: { stripe, paypal },
    mailer,
    tokens,
  };
  const workers: RunningWorker[] = [];
  return {
    url: `http://localhost:${sitePort}`,
    db,
    config,
    sandbox,
    outbox,
    api,
    workerParts,
    startWorker() {
      const worker = startWorker(workerParts);
      workers.push(worker);
      return worker;
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.close()));
      await orderStream.close();
      await closeServer(server);
      await sandbox.close();
      await outbox.close();
      await backend.close();
      mailer.close();
      await sessions.close();
      redis?.disconnect();
      await db.destroy();
    },
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return address.port;
}
