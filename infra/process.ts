import type { Logger } from './logger.ts';

const SHUTDOWN_DEADLINE_MS = 10_000;

/** SIGTERM and SIGINT run `close` within 10 s and exit with 0; an uncaught error is logged, closes and exits with 1. */
export function endGracefully(logger: Logger, close: () => Promise<void>): void {
  let ending = false;
  const end = (code: number, reason: string) => {
    if (ending) return;
    ending = true;
    logger.info({ reason }, 'shutting down');
    const deadline = setTimeout(() => process.exit(code || 1), SHUTDOWN_DEADLINE_MS);
    deadline.unref();
    close()
      .catch((error: unknown) => logger.error({ err: error }, 'shutdown failed'))
      .finally(() => process.exit(code));
  };
  process.on('SIGTERM', () => end(0, 'SIGTERM'));
  process.on('SIGINT', () => end(0, 'SIGINT'));
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      logger.fatal({ err: error }, event);
      end(1, event);
    });
  }
}
