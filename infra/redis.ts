import { Cluster, Redis, type RedisOptions } from 'ioredis';

export type RedisConnection = Redis | Cluster;

/**
 * For the request path: answers or fails within a second, and never queues commands while Redis is away
 * (a default connection hangs until it returns).
 */
export const failFast: RedisOptions = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 1,
  connectTimeout: 1_000,
  commandTimeout: 1_000,
};

/** For BullMQ's workers: waits for Redis for as long as it takes. */
export const patient: RedisOptions = { maxRetriesPerRequest: null, connectTimeout: 2_000 };

/**
 * Connects to `redis://host:port`, `redis+cluster://host:port,host:port` or `redis+sentinel://host:port,…/name`.
 * A replica that was promoted elsewhere (READONLY) makes the connection start over.
 */
export function connectRedis(
  url: string,
  options: RedisOptions,
  onError: (error: Error) => void,
): RedisConnection {
  const connection = open(url, {
    ...options,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
    reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 2 : false),
  });
  connection.on('error', onError);
  return connection;
}

function open(url: string, options: RedisOptions): RedisConnection {
  const match = /^(rediss?)\+(cluster|sentinel):\/\/(?:([^@]*)@)?([^/]+)(?:\/(.+))?$/.exec(url);
  if (!match) return new Redis(url, options);
  const [, scheme, kind, credentials, hosts = '', name] = match;
  const nodes = hosts.split(',').map((host) => {
    const [hostname = '', port = '6379'] = host.split(':');
    return { host: hostname, port: Number(port) };
  });
  const [username, password] = (credentials ?? '').split(':').map(decodeURIComponent);
  const access = { username: username || undefined, password, ...(scheme === 'rediss' ? { tls: {} } : {}) };
  if (kind === 'sentinel') return new Redis({ ...options, ...access, sentinels: nodes, name });
  return new Cluster(nodes, {
    enableOfflineQueue: options.enableOfflineQueue,
    redisOptions: { ...options, ...access },
  });
}

/**
 * Refuses a Redis that may evict keys: BullMQ's jobs would vanish (BullMQ, going to production).
 * @throws Error that names the policy; or the connection's error if Redis cannot be asked.
 */
export async function requireSafeRedis(url: string): Promise<void> {
  const redis = connectRedis(url, { connectTimeout: 5_000, maxRetriesPerRequest: 3 }, () => {});
  try {
    const memory = await redis.info('memory');
    const policy = /maxmemory_policy:(\S+)/.exec(memory)?.[1];
    if (policy !== 'noeviction') {
      throw new Error(`Redis must have maxmemory-policy noeviction, it has ${policy}: jobs would be evicted`);
    }
  } finally {
    redis.disconnect();
  }
}
