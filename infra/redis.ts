import { once } from 'node:events';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { within } from './deadline.ts';

export type RedisConnection = Redis | Cluster;

/** Replaces a connection whose server has fallen silent: TCP alone needs a quarter of an hour. */
const SILENCE_MS = 3_000;
const FIRST_CONNECTION_MS = 1_000;

/** For the request path, whose calls have deadlines. A default connection queues commands while Redis is away. */
export const failFast: RedisOptions = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 1,
  connectTimeout: 1_000,
  socketTimeout: SILENCE_MS,
};

/** For BullMQ's workers: waits until Redis is back. Its blocking calls take up to 10 s. */
export const patient: RedisOptions = {
  maxRetriesPerRequest: null,
  connectTimeout: 2_000,
  socketTimeout: 10_000 + SILENCE_MS,
};

/**
 * Connects to `redis://host:port`, `redis+cluster://host:port,host:port` or `redis+sentinel://host:port,…/name`, the latter
 * with `?sentinelUsername=…&sentinelPassword=…` where the sentinels have their own.
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
  const match = /^(rediss?)\+(cluster|sentinel):\/\/(?:([^@]*)@)?([^/?@]+)(?:\/([^?]+))?(?:\?(.*))?$/s.exec(
    url,
  );
  if (!match) return new Redis(url, options);
  const [, scheme, kind, credentials, hosts = '', name, query] = match;
  const nodes = hosts.split(',').map((host) => {
    const [hostname = '', port = '6379'] = host.split(':');
    return { host: hostname, port: Number(port) };
  });
  const [username, password] = (credentials ?? '').split(':').map(decodeURIComponent);
  const isEncrypted = scheme === 'rediss';
  const access = { username: username || undefined, password, ...(isEncrypted ? { tls: {} } : {}) };
  if (kind === 'sentinel') {
    // ioredis encrypts connections to the sentinels only with this option.
    const sentinelTls = isEncrypted ? { enableTLSForSentinelMode: true, sentinelTLS: {} } : {};
    const own = new URLSearchParams(query);
    const sentinelAccess = {
      sentinelUsername: own.get('sentinelUsername') ?? undefined,
      sentinelPassword: own.get('sentinelPassword') ?? undefined,
    };
    return new Redis({ ...options, ...access, ...sentinelTls, ...sentinelAccess, sentinels: nodes, name });
  }
  return new Cluster(nodes, {
    enableOfflineQueue: options.enableOfflineQueue,
    // A certificate is for a node's name, not for the address that ioredis would look up.
    ...(isEncrypted ? { dnsLookup: (address: string, done) => done(null, address) } : {}),
    redisOptions: { ...options, ...access },
  });
}

/** Settles when the connection can be used, or cannot within a second. One that fails fast rejects commands until then. */
export async function firstConnection(redis: RedisConnection): Promise<void> {
  if (redis.status === 'ready') return;
  // `once` rejects at the first error.
  await within(FIRST_CONNECTION_MS, once(redis, 'ready')).catch(() => {});
}

/** The primaries: one, or all of a cluster's. @throws the connection's error if Redis does not answer */
export async function primariesOf(redis: RedisConnection): Promise<Redis[]> {
  // The nodes of a cluster are known after its first answer.
  await redis.ping();
  return redis instanceof Cluster ? redis.nodes('master') : [redis];
}

/** The eviction policy of every primary. @throws the connection's error if Redis does not answer */
export async function readEvictionPolicies(url: string): Promise<string[]> {
  const redis = connectRedis(url, { connectTimeout: 2_000, maxRetriesPerRequest: 1 }, () => {});
  try {
    const servers = await primariesOf(redis);
    const memory = await Promise.all(servers.map((server) => server.info('memory')));
    return memory.map((info) => /maxmemory_policy:(\S+)/.exec(info)?.[1] ?? 'unknown');
  } finally {
    redis.disconnect();
  }
}
