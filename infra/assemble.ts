import { namedClaims } from '../core/staff.ts';
import { createDatabase, type Database } from '../db/database.ts';
import type { Config } from './config.ts';
import { createIdentityProvider, type IdentityProvider } from './identity.ts';
import type { Logger } from './logger.ts';
import { createMailer, type Mailer } from './mailer.ts';
import { listenToOrders, type OrderStream } from './order-stream.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import type { Shutdown } from './process.ts';
import { createQueueBackend, type QueueBackend } from './queue.ts';
import { createRateLimits, noRateLimits, type RateLimits } from './rate-limits.ts';
import { connectRedis, failFast, firstConnection, type RedisConnection } from './redis.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { createTokens, type Tokens } from './tokens.ts';
import { stopTracing } from './tracing.ts';

interface Assembly<G> {
  name: string;
  /** Payment gateways are added by a higher layer. */
  openGateways: (config: Config) => G;
  poolMax?: number;
}

export interface BaseParts<G> {
  config: Config;
  logger: Logger;
  db: Database;
  gateways: G;
  tokens: Tokens;
  onError: (error: Error) => void;
  shutdown: Shutdown;
  onClose(step: () => unknown): void;
  /** Closes everything, last opened first; a step that fails does not keep the others from closing. */
  close(): Promise<void>;
}

interface QueueParts<G> extends BaseParts<G> {
  backend: QueueBackend;
  outbox: Outbox;
}

export interface MailParts<G> extends QueueParts<G> {
  mailer: Mailer;
  /** Counted in PostgreSQL, whatever the queue: these are few. */
  mailLimits: RateLimits;
}

export interface WebParts<G> extends QueueParts<G> {
  sessions: Sessions;
  rateLimits: RateLimits;
  identity: IdentityProvider;
  orderStream: OrderStream;
}

export function assembleBase<G>(
  config: Config,
  logger: Logger,
  { name, openGateways, poolMax }: Assembly<G>,
): BaseParts<G> {
  // Closed last, so that the other steps are still traced.
  const steps: (() => unknown)[] = [stopTracing];
  const onError = (error: Error) => logger.warn({ err: error }, 'connection error');
  const db = createDatabase(config.databaseUrl, {
    poolMax: poolMax ?? config.databasePoolMax,
    applicationName: `querywright ${name}`,
    isPooled: config.isDatabasePooled,
    onError,
  });
  steps.push(() => db.destroy());
  return {
    config,
    logger,
    db,
    gateways: openGateways(config),
    tokens: createTokens(config.sessionSecrets),
    onError,
    shutdown: { isDraining: false },
    onClose: (step) => steps.push(step),
    async close() {
      for (const step of steps.splice(0).reverse()) {
        try {
          await step();
        } catch (error) {
          logger.warn({ err: error }, 'close failed during shutdown');
        }
      }
    },
  };
}

export function assemble<G>(config: Config, logger: Logger, assembly: Assembly<G>): QueueParts<G> {
  const base = assembleBase(config, logger, assembly);
  const backend = createQueueBackend({ ...config, onError: base.onError });
  base.onClose(() => backend.close());
  const outbox = createOutbox(base.db, backend, logger);
  base.onClose(() => outbox.close());
  return { ...base, backend, outbox };
}

export function withMailer<G>(parts: QueueParts<G>): MailParts<G> {
  const { config, db } = parts;
  const mailer = createMailer(config.mail);
  parts.onClose(() => mailer.close());
  return { ...parts, mailer, mailLimits: openRateLimits(config, db, undefined) };
}

/** Waits for Redis up to a second, so that the first requests find their sessions. */
export async function withWebParts<G>(parts: QueueParts<G>): Promise<WebParts<G>> {
  const { config, logger, db, onError, onClose } = parts;
  const redis = config.redisUrl ? connectRedis(config.redisUrl, failFast, onError) : undefined;
  onClose(() => redis?.disconnect());
  const sessions = createSessions({ ...config, db, redis, logger });
  onClose(() => sessions.close());
  const orderStream = listenToOrders(config.listenDatabaseUrl, logger);
  onClose(() => orderStream.close());
  if (redis) await firstConnection(redis);
  return {
    ...parts,
    sessions,
    rateLimits: openRateLimits(config, db, redis),
    identity: createIdentityProvider(config.oidc, config.publicUrl, namedClaims(config.staff)),
    orderStream,
  };
}

function openRateLimits(config: Config, db: Database, redis: RedisConnection | undefined): RateLimits {
  return config.rateLimits ? createRateLimits({ redis, db, queuePrefix: config.queuePrefix }) : noRateLimits;
}
