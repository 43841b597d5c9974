import { redisHint, startRedis } from './redis.ts';

// Exit code 0 if the Redis half of the tests can run here; fetches Debian's package where that is the only way.
const redis = process.env.REDIS_URL ? undefined : await startRedis();
await redis?.stop();
if (!redis && !process.env.REDIS_URL) {
  console.info(redisHint);
  process.exit(1);
}
