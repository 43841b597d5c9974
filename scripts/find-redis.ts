import { findPromtool } from '../testing/services/promtool.ts';
import { redisHint, startRedis } from '../testing/services/redis.ts';

// Exit code 0 if the Redis half of the tests can run here. Downloads Debian's packages if there is no other way.
findPromtool();
const redis = process.env.REDIS_URL ? undefined : await startRedis();
await redis?.stop();
if (!redis && !process.env.REDIS_URL) {
  console.info(redisHint);
  process.exit(1);
}
