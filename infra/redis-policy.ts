import type { Logger } from './logger.ts';
import { readEvictionPolicies } from './redis.ts';

const RETRY_IN_MS = 5_000;

class EvictingRedis extends Error {
  readonly code = 'EVICTING_REDIS';
  constructor(policy: string) {
    super(`Redis must have maxmemory-policy noeviction, it has ${policy}: jobs would be evicted`);
    this.name = 'EvictingRedis';
  }
}

/** Refuses a Redis that may evict jobs. If it is unreachable, the check is repeated in the background. */
export async function requireNoEviction(
  url: string,
  logger: Logger,
  onEvicting: (error: EvictingRedis) => void,
): Promise<void> {
  try {
    const evicting = (await readEvictionPolicies(url)).find((policy) => policy !== 'noeviction');
    if (evicting) onEvicting(new EvictingRedis(evicting));
  } catch (error) {
    logger.warn(
      { err: error, retryInMs: RETRY_IN_MS },
      'Redis unreachable; its eviction policy is checked later',
    );
    setTimeout(() => void requireNoEviction(url, logger, onEvicting), RETRY_IN_MS).unref();
  }
}
