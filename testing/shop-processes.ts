import { freePort } from '@querywright/sandbox/listen';
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

/** Starts a built web process on a free port. */
export async function startWebFor(
  shop: Shop,
  env: Record<string, string> = {},
): Promise<Process & { url: string }> {
  const port = await freePort();
  const web = await startProcessFor(shop, 'web', { ...env, PORT: String(port) });
  return Object.assign(web, { url: `http://localhost:${port}` });
}

/** Starts a built web and a built worker process; the providers' webhooks go to the web process. */
export async function startBoth(
  shop: Shop,
  env: Record<string, string> = {},
): Promise<{ web: Process & { url: string }; worker: Process }> {
  const [web, worker] = await Promise.all([startWebFor(shop, env), startProcessFor(shop, 'worker', env)]);
  shop.sandbox.config.siteUrl = web.url;
  return { web, worker };
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
