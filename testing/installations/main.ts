import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createDatabase } from '../../db/database.ts';
import { findOnPath } from '../services/debian.ts';
import { startOwnPostgres, type TestPostgres } from '../services/postgres.ts';
import { makeCertificate } from './certificate.ts';
import { startFailover } from './failover.ts';
import { tryLossyFailover } from './lossy-failover.ts';
import { startPgBouncer } from './pgbouncer.ts';
import { tryProcfile } from './procfile.ts';
import { startCluster, startSentinels, startWithAcl } from './redis.ts';
import { runShop, type ShopRun } from './shop-run.ts';

// Runs the product on common installations of Redis and PostgreSQL, and breaks them while orders are bought.
//   npm run test:servers [-- <installation>...]

type Installation = (folder: string, postgres: TestPostgres) => Promise<ShopRun & { stop(): Promise<void> }>;
/** Returns the problems found. */
type Trial = (folder: string, postgres: TestPostgres) => Promise<string[]>;

const trials: Record<string, Trial> = {
  'redis-acl': shopOn(onRedis(startWithAcl)),
  'redis-sentinel': shopOn(onRedis(startSentinels)),
  'redis-cluster': shopOn(onRedis(startCluster)),
  'pgbouncer-session': shopOn(onPgBouncer('session')),
  'pgbouncer-transaction': shopOn(onPgBouncer('transaction')),
  'postgres-failover': shopOn(startFailover),
  'postgres-lossy-failover': tryLossyFailover,
  procfile: tryProcfile,
};

const needed = {
  'redis-server': 'redis-server',
  pgbouncer: 'pgbouncer',
  openssl: 'openssl',
  haproxy: 'haproxy',
};
const missing = Object.entries(needed).filter(([program]) => !findOnPath(program));
if (missing.length > 0) {
  console.error(`Missing: apt-get install ${missing.map(([, name]) => name).join(' ')}`);
  process.exit(1);
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in trials));
if (unknown.length > 0) throw new Error(`No installation ${unknown.join(', ')}`);
for (const [name, trial] of Object.entries(trials)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const problems = await tryOut(trial).catch((error: Error) => [error.stack ?? error.message]);
  console.info(`${name}: ${problems.length === 0 ? 'passed' : 'FAILED'}`);
  for (const problem of problems) console.error(`  ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}
// Servers that could not be stopped end with this process.
process.exit();

async function tryOut(trial: Trial): Promise<string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'querywright-installation-'));
  const postgres = await startOwnPostgres();
  try {
    return await trial(folder, postgres);
  } finally {
    await postgres.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

function shopOn(start: Installation): Trial {
  return async (folder, postgres) => {
    const installation = await start(folder, postgres);
    try {
      return await runShop(installation);
    } finally {
      await installation.stop();
    }
  };
}

function onRedis(start: typeof startCluster): Installation {
  return async (folder, postgres) => {
    const certificate = makeCertificate(folder);
    const servers = path.join(folder, 'redis');
    mkdirSync(servers);
    const redis = await start(servers, certificate);
    const env = { REDIS_URL: redis.url, NODE_EXTRA_CA_CERTS: certificate.authority };
    return { ...redis, databaseUrl: postgres.url, env };
  };
}

/** Without Redis: sessions and queue are in PostgreSQL too. */
function onPgBouncer(mode: 'session' | 'transaction'): Installation {
  return async (folder, postgres) => {
    const pgbouncer = await startPgBouncer(folder, postgres.url, mode);
    await requireTimeLimit(pgbouncer.url);
    const env = { DATABASE_URL: pgbouncer.url, LISTEN_DATABASE_URL: postgres.url };
    return { ...pgbouncer, databaseUrl: postgres.url, env };
  };
}

async function requireTimeLimit(url: string): Promise<void> {
  const db = createDatabase(url, { poolMax: 1, isPooled: true });
  const outcome = await db.raw('select pg_sleep(7)').then(
    () => 'no error',
    (error: Error) => error.message,
  );
  await db.destroy();
  if (!outcome.includes('statement timeout')) throw new Error(`a slow query through PgBouncer: ${outcome}`);
}
