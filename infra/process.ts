import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from './logger.ts';

const CLOSE_DEADLINE_MS = 10_000;

export interface Shutdown {
  /** Set when the process is about to stop, so that load balancers send requests elsewhere. */
  isDraining: boolean;
}

interface Closable {
  logger: Logger;
  config: { drainMs: number };
  shutdown: Shutdown;
  close(): Promise<void>;
}

/** SIGTERM and SIGINT drain, close within 10 s and exit with 0; an uncaught error closes and exits with 1. */
export function endGracefully({ logger, config, shutdown, close }: Closable): void {
  let isEnding = false;
  const end = async (code: number, reason: string, drainMs: number) => {
    if (isEnding) return;
    isEnding = true;
    logger.info({ reason, drainMs }, 'shutting down');
    shutdown.isDraining = true;
    await sleep(drainMs);
    setTimeout(() => process.exit(code || 1), CLOSE_DEADLINE_MS).unref();
    await close().catch((error: unknown) => logger.error({ err: error }, 'shutdown failed'));
    process.exit(code);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => void end(0, signal, config.drainMs));
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      logger.fatal({ err: error }, event);
      void end(1, event, 0);
    });
  }
}
