import { inject } from 'vitest';
import { type Process, type ProcessName, startProcess } from './processes.ts';
import type { Shop } from './shop.ts';

/** Starts a built process on a shop's database, queue and sandbox. */
export function startProcessFor(
  shop: Shop,
  name: ProcessName,
  env: Record<string, string> = {},
): Promise<Process> {
  return startProcess(name, { ...environmentOf(shop), ...env });
}

/** A shop's settings as environment variables. */
export function environmentOf(shop: Shop): Record<string, string> {
  const redisUrl = inject('backend') === 'redis' ? inject('redisUrl') : undefined;
  return {
    DATABASE_URL: shop.config.databaseUrl,
    QUEUE_PREFIX: shop.config.queuePrefix,
    SANDBOX_PORT: String(shop.sandbox.port),
    SANDBOX_SMTP_PORT: String(shop.sandbox.smtpPort),
    ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
  };
}
