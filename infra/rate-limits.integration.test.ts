import { expect, inject, test } from 'vitest';
import { createDatabase } from '../db/database.ts';
import { createTestDatabase } from '../testing/databases.ts';
import { createRateLimits } from './rate-limits.ts';
import { connectRedis } from './redis.ts';

test('two installations with different prefixes share no counters', async () => {
  const db = createDatabase(await createTestDatabase(inject('postgresUrl')));
  const redisUrl = inject('redisUrl');
  const redis = redisUrl ? connectRedis(redisUrl, {}, () => {}) : undefined;
  const name = crypto.randomUUID();
  const limitsOf = (queuePrefix: string) => createRateLimits({ redis, db, queuePrefix });
  const [one, other] = [limitsOf(`${name}-one`), limitsOf(`${name}-other`)];
  try {
    const uses: number[] = [];
    for (let n = 0; n < 6; n++) uses.push(await one.use('contact', '203.0.113.1'));
    expect(uses.slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
    expect(uses[5]).toBeGreaterThan(0);
    expect(await limitsOf(`${name}-one`).use('contact', '203.0.113.1')).toBeGreaterThan(0);
    expect(await other.use('contact', '203.0.113.1')).toBe(0);
  } finally {
    redis?.disconnect();
    await db.destroy();
  }
});
