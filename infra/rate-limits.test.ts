import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { Database } from '../db/database.ts';
import { createRateLimits } from './rate-limits.ts';

const MAX_GROWTH_MIB = 8;

test('100,000 addresses above their limit do not fill the memory', async () => {
  const store = refusingStore();
  const limits = limitsWith(store);
  await limits.use('login', '203.0.113.1');
  const before = heapMib();
  let refused = 0;
  for (let n = 0; n < 100_000; n++) {
    if ((await limits.use('login', `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`)) > 0) refused++;
  }
  expect(refused).toBe(100_000);
  expect(heapMib() - before).toBeLessThan(MAX_GROWTH_MIB);
}, 60_000);

test('an address above its limit does not reach the store again until its time is up', async () => {
  const store = refusingStore();
  const limits = limitsWith(store);
  for (let n = 0; n < 5; n++) expect(await limits.use('login', '203.0.113.1')).toBe(600);
  expect(store.queries()).toBe(1);
  expect(await limits.use('login', '203.0.113.2')).toBe(600);
  expect(await limits.use('contact', '203.0.113.1')).toBe(600);
  expect(store.queries()).toBe(3);
});

/** A database in which every count is above its limit for ten minutes. */
function refusingStore() {
  let queries = 0;
  const connection = {
    async query() {
      queries++;
      return { rows: [{ points: 1_000, expire: Date.now() + 600_000 }] };
    },
  };
  const client = { acquireConnection: async () => connection, releaseConnection() {} };
  return { db: { client } as unknown as Database, queries: () => queries };
}

function limitsWith({ db }: { db: Database }) {
  return createRateLimits({ db, redis: undefined, queuePrefix: 'test' });
}

function heapMib(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed / 2 ** 20;
}
