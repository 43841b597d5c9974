import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '@querywright/sandbox/listen';
import { startSandbox } from '@querywright/sandbox/testing';
import { createDatabase } from '../../db/database.ts';
import { prepareTemplate } from '../databases.ts';
import { startTestPostgres } from '../servers.ts';
import { redisHint, startRedis } from '../services/redis.ts';
import { buyEverything } from './buyers.ts';
import { findViolations } from './invariants.ts';
import { seededRandom } from './random.ts';
import { superviseProcess } from './supervisor.ts';

// Buys and settles orders while web and worker are killed with kill -9 and Redis is emptied. Everything must be
// consistent within 90 s after the last purchase.

const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '300' },
    backend: { type: 'string' },
    kills: { type: 'string', default: '5' },
    seed: { type: 'string' },
  },
});
const orders = Number(values.orders);
const kills = Number(values.kills);
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
  const folder = mkdtempSync(path.join(tmpdir(), 'querywright-faults-'));
  const postgres = await startTestPostgres(path.join(folder, 'data'));
  await prepareTemplate(postgres.url);
  const databaseUrl = postgres.url('querywright_template');
  const db = createDatabase(databaseUrl, { poolMax: 4 });
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const sandbox = await startSandbox({ siteUrl: url });
  const env = {
    PORT: String(port),
    DATABASE_URL: databaseUrl,
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
    ].sort((a, b) => a.at - b.at);

    const bought = await buyEverything({ url, sandbox, orders, random, onProgress });
    const quietAt = Date.now();
    const result = await findViolations({ db, sandbox, bought, withinMs: 90_000 });
    const seconds = ((Date.now() - quietAt) / 1000).toFixed(1);
    console.info(
      `web killed ${web.kills} times, worker ${worker.kills} times${redis ? ', Redis emptied twice' : ''}; ` +
        `${result.paid} paid, ${result.unpaid} unpaid, all settled ${seconds} s after the last purchase; ` +
        `${result.mails} mails, ${result.repeatedMails} of them repeats with the same Message-ID`,
    );
    for (const violation of result.violations) console.error(`VIOLATION ${violation}`);
    if (result.violations.length > 0) console.error(`reproduce with --seed ${seed} --backend ${backend}`);
    return result.violations.length === 0;

    async function onProgress(share: number): Promise<void> {
      while (faults[0] && faults[0].at <= share) await faults.shift()?.strike();
    }
  } finally {
    await Promise.all([web.stop(), worker.stop()]);
    await sandbox.close();
    await db.destroy();
    await redis?.stop();
    await postgres.stop('SIGQUIT');
    rmSync(folder, { recursive: true, force: true });
  }
}
