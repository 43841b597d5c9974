import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort } from '@querywright/sandbox/listen';
import { startSandbox } from '@querywright/sandbox/testing';
import { createDatabase } from '../../db/database.ts';
import { startOwnPostgres } from '../services/postgres.ts';
import { redisHint, startRedis } from '../services/redis.ts';
import { buyEverything } from './buyers.ts';
import { findViolations } from './invariants.ts';
import { seededRandom } from './random.ts';
import { superviseProcess } from './supervisor.ts';

// Buys and settles orders while web and worker are killed with kill -9 and Redis is emptied; with --outages also while
// Redis is away for 30 s and PostgreSQL is restarted and frozen. Everything must be consistent within 90 s after the
// last purchase; `--within` allows more seconds on a machine that has other work.

const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '300' },
    backend: { type: 'string' },
    kills: { type: 'string', default: '5' },
    outages: { type: 'boolean', default: false },
    within: { type: 'string', default: '90' },
    seed: { type: 'string' },
  },
});
const orders = Number(values.orders);
const kills = Number(values.kills);
const REDIS_AWAY_MS = 30_000;
const STALL_MS = 15_000;
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));

for (const backend of values.backend ? [values.backend] : ['postgres', 'redis']) {
  if (!(await run(backend))) process.exitCode = 1;
}

async function run(backend: string): Promise<boolean> {
  console.info(`${orders} orders on ${backend}, ${kills} kills each of web and worker, seed ${seed}`);
  const redis = backend === 'redis' ? await startRedis() : undefined;
  if (backend === 'redis' && !redis) {
    console.info(`skipped: ${redisHint}`);
    return !process.env.CI;
  }
  const postgres = await startOwnPostgres();
  const db = createDatabase(postgres.url, { poolMax: 4, onError: () => {} });
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const sandbox = await startSandbox({ siteUrl: url });
  const env = {
    PORT: String(port),
    DATABASE_URL: postgres.url,
    SANDBOX_PORT: String(sandbox.port),
    SANDBOX_SMTP_PORT: String(sandbox.smtpPort),
    LOG_LEVEL: 'info',
    ...(redis ? { REDIS_URL: redis.url } : {}),
  };
  const web = await superviseProcess('web', env);
  const worker = await superviseProcess('worker', env);
  try {
    const random = seededRandom(seed);
    const faults = [
      ...Array.from({ length: kills }, () => ({ at: random(), strike: () => web.kill() })),
      ...Array.from({ length: kills }, () => ({ at: random(), strike: () => worker.kill() })),
      ...(redis ? [0, 1].map(() => ({ at: random(), strike: () => redis.flush() })) : []),
      ...(values.outages ? outages() : []),
    ].sort((a, b) => a.at - b.at);

    const bought = await buyEverything({ url, sandbox, orders, random, onProgress });
    const quietAt = Date.now();
    const result = await findViolations({ db, sandbox, bought, withinMs: Number(values.within) * 1_000 });
    const seconds = ((Date.now() - quietAt) / 1000).toFixed(1);
    console.info(
      `web killed ${web.kills} times, worker ${worker.kills} times${redis ? ', Redis emptied twice' : ''}` +
        `${values.outages ? `, ${redis ? 'Redis away for 30 s, ' : ''}PostgreSQL restarted and still for 15 s` : ''}; ` +
        `${result.paid} paid, ${result.unpaid} unpaid, all settled ${seconds} s after the last purchase; ` +
        `no request of a retrying client failed; ${result.mails} mails, ${result.repeatedMails} of them repeats with the same Message-ID`,
    );
    for (const violation of result.violations) console.error(`VIOLATION ${violation}`);
    if (result.violations.length > 0) console.error(`reproduce with --seed ${seed} --backend ${backend}`);
    return result.violations.length === 0;

    async function onProgress(share: number): Promise<void> {
      while (faults[0] && faults[0].at <= share) await faults.shift()?.strike();
    }

    function outages() {
      return [
        {
          at: 0.2,
          strike: async () => {
            await redis?.kill();
            await sleep(redis ? REDIS_AWAY_MS : 0);
            await redis?.restart();
          },
        },
        { at: 0.5, strike: () => postgres.restart() },
        {
          at: 0.75,
          strike: async () => {
            postgres.pause();
            await sleep(STALL_MS);
            postgres.resume();
          },
        },
      ];
    }
  } finally {
    await Promise.all([web.stop(), worker.stop()]);
    await sandbox.close();
    await db.destroy();
    await redis?.stop();
    await postgres.remove();
  }
}
