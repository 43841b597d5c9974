import { createServer } from 'node:http';
import path from 'node:path';
import { listen } from '@querywright/sandbox/listen';
import { type RunningSandbox, startSandbox } from '@querywright/sandbox/testing';
import { afterAll, afterEach, inject } from 'vitest';
import { createApp } from '../api/app.ts';
import { closeServer } from '../api/http/close-server.ts';
import { protectServer, serverOptions } from '../api/http/http-server.ts';
import type { ApiParts } from '../api/parts.ts';
import type { Database } from '../db/database.ts';
import { seedSandboxPeople } from '../db/sandbox-people.ts';
import { assemble, type MailParts, withMailer, withWebParts } from '../infra/assemble.ts';
import { type Config, readConfig } from '../infra/config.ts';
import { createLogger } from '../infra/logger.ts';
import type { Outbox } from '../infra/outbox.ts';
import { noRateLimits } from '../infra/rate-limits.ts';
import { type Gateways, openGateways } from '../providers/gateways.ts';
import { type RunningWorker, startWorker } from '../worker/worker.ts';
import { checkAnswers } from './api-contract.ts';
import { createTestDatabase } from './databases.ts';

/** The product in one process, with its own database and sandbox. */
export interface Shop {
  url: string;
  db: Database;
  config: Config;
  sandbox: RunningSandbox;
  outbox: Outbox;
  api: ApiParts;
  workerParts: MailParts<Gateways>;
  /** Starts a worker; a shop has none at first. */
  startWorker(): RunningWorker;
  /** The ports from which the server has connections. */
  callers: ReadonlySet<number>;
  close(): Promise<void>;
}

export interface ShopOptions {
  env?: Record<string, string>;
  /** Also serves the built site. */
  site?: boolean;
  /** Replaces parts of the API, e.g. the rate limits. */
  parts?: (parts: ApiParts) => Partial<ApiParts>;
  poolMax?: number;
  /** Where its database and its Redis are; by default the test project's. */
  servers?: Servers;
}

interface Servers {
  postgresUrl: string;
  redisUrl?: string | undefined;
}

/** The built worker in the process tests keeps the product's intervals. */
const shortIntervals = { relayMs: 500, checkMs: 500, firstRetryMs: 200 };

/** Starts a shop on the project's backend: PostgreSQL alone, or with Redis. */
export async function startShop({
  env = {},
  site = false,
  parts = () => ({}),
  poolMax = 20,
  servers: { postgresUrl, redisUrl } = projectServers(),
}: ShopOptions = {}): Promise<Shop> {
  const sandbox = await startSandbox();
  const databaseUrl = env.DATABASE_URL ?? (await createTestDatabase(postgresUrl));
  const server = createServer(serverOptions);
  const sitePort = await listen(server, 0, 'localhost');
  const config = readConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: process.env.TEST_LOG ?? 'silent',
    PORT: String(sitePort),
    DATABASE_URL: databaseUrl,
    SANDBOX_PORT: String(sandbox.port),
    SANDBOX_SMTP_PORT: String(sandbox.smtpPort),
    // All shops share one Redis.
    QUEUE_PREFIX: new URL(databaseUrl).pathname.slice(1),
    ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
    ...env,
  });
  sandbox.config.siteUrl = `http://localhost:${sitePort}`;

  const logger = createLogger('test', config);
  const assembled = withMailer(assemble(config, logger, { name: 'test', openGateways, poolMax }));
  const { db, outbox } = assembled;
  if (config.oidc.local) await seedSandboxPeople(db, config.oidc.issuer);
  const web = await withWebParts(assembled);
  const base: ApiParts = {
    ...web,
    ...web.gateways,
    rateLimits: noRateLimits,
    siteFolder: site ? path.resolve(import.meta.dirname, '../dist/web') : undefined,
  };
  const api = { ...base, ...parts(base) };
  server.on('request', checkAnswers(createApp(api)));
  protectServer(server, config);
  const callers = new Set<number>();
  server.on('connection', (socket) => {
    const { remotePort = 0 } = socket;
    callers.add(remotePort);
    socket.once('close', () => callers.delete(remotePort));
  });

  const workerParts = { ...assembled, ...assembled.gateways, mailLimits: noRateLimits };
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
      const worker = startWorker(workerParts, shortIntervals);
      workers.push(worker);
      return worker;
    },
    callers,
    async close() {
      await Promise.all(workers.map((worker) => worker.close()));
      await api.orderStream.close();
      await closeServer(server);
      await sandbox.close();
      await assembled.close();
    },
  };
}

/** A shop for the tests of one file. Its sandbox behaves again after each of them. */
export async function withShop({ worker = false, ...options }: ShopOptions & { worker?: boolean } = {}) {
  const shop = await startShop(options);
  if (worker) shop.startWorker();
  afterEach(() => {
    shop.sandbox.faults.clear();
    shop.sandbox.behaviors.clear();
  });
  afterAll(() => shop.close());
  return shop;
}

function projectServers(): Servers {
  const redisUrl = inject('backend') === 'redis' ? inject('redisUrl') : undefined;
  return { postgresUrl: inject('postgresUrl'), redisUrl };
}
