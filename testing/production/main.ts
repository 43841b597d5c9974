import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@querywright/sandbox/listen';
import { startPostgres } from '@querywright/sandbox/postgres';
import { startSandbox } from '@querywright/sandbox/testing';
import { createDatabase } from '../../db/database.ts';
import { type Child, startChild } from '../child-process.ts';
import { buyEverything } from '../faults/buyers.ts';
import { findViolations } from '../faults/invariants.ts';
import { seededRandom } from '../faults/random.ts';
import { redisHint, startRedis } from '../services/redis.ts';
import { bytesOf, filesOfSandbox, installProduct, judgeSbom } from './install.ts';

// Copies exactly the contents of the container image and runs every process: orders by card and PayPal with their e-mails,
// on both queue backends.

const MAX_MEGABYTES = 25;
const ORDERS = 12;

const folder = mkdtempSync(path.join(tmpdir(), 'querywright-production-'));
const app = path.join(folder, 'app');
const problems: string[] = [];
try {
  judgeContents();
  const redis = await startRedis();
  if (!redis) console.info(`Skipping Redis. ${redisHint}`);
  try {
    for (const redisUrl of [undefined, ...(redis ? [redis.url] : [])]) await run(redisUrl);
  } finally {
    await redis?.stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const problem of problems) console.error(`PROBLEM ${problem}`);
process.exit(problems.length === 0 ? 0 : 1);

function judgeContents(): void {
  installProduct(app);
  const megabytes = bytesOf(app) / 1e6;
  const sbom = judgeSbom(app);
  console.info(`${sbom.count} packages, ${megabytes.toFixed(1)} MB over the base image`);
  if (megabytes > MAX_MEGABYTES) problems.push(`more than ${MAX_MEGABYTES} MB`);
  problems.push(...sbom.problems);
  for (const file of filesOfSandbox(app)) problems.push(`dist/${file} belongs to the sandbox`);
}

async function run(redisUrl: string | undefined): Promise<void> {
  const data = path.join(folder, redisUrl ? 'data-redis' : 'data-postgres');
  const postgres = await startPostgres({ folder: data, port: await freePort() });
  const databaseUrl = postgres.url('postgres');
  const db = createDatabase(databaseUrl, { poolMax: 4 });
  const [port, metricsPort] = [await freePort(), await freePort()];
  const url = `http://localhost:${port}`;
  const sandbox = await startSandbox({ siteUrl: url });
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'test',
    RATE_LIMITS: 'off',
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    DATABASE_URL: databaseUrl,
    SANDBOX_PORT: String(sandbox.port),
    SANDBOX_SMTP_PORT: String(sandbox.smtpPort),
    ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
  };
  const execute = (script: string, ...args: string[]) =>
    execFileSync(process.execPath, [`dist/ops/${script}`, ...args], { cwd: app, env, encoding: 'utf8' });
  const running: Child[] = [];
  const start = async (script: string, ready: string) => {
    const child = startChild(process.execPath, [`dist/${script}`], { cwd: app, env });
    running.push(child);
    await child.untilPrinted(ready);
  };
  try {
    execute('migrate.js');
    await start('api/main.js', 'web ready');
    await start('worker/main.js', 'worker ready');
    const random = seededRandom(1);
    const bought = await buyEverything({ url, sandbox, orders: ORDERS, random, onProgress: async () => {} });
    const found = await findViolations({ db, sandbox, bought, withinMs: 60_000 });
    problems.push(...found.violations);
    for (const page of ['/', '/contact', '/api/services', '/newsletter/confirm', '/readyz'])
      await answers(`${url}${page}`);
    await answers(`http://localhost:${metricsPort}/metrics`);
    for (const part of ['', 'static/favicon.ico', 'api/queues'])
      await answers(`http://localhost:${metricsPort}/queues/${part}`);
    if (!execute('main.js', 'outbox', 'status').includes('send-email'))
      problems.push('ops outbox status does not list e-mails');
    console.info(`${redisUrl ? 'Redis' : 'PostgreSQL'}: ${found.paid} orders paid, ${found.mails} e-mails`);
  } finally {
    for (const child of running) await child.stop();
    await sandbox.close();
    await db.destroy();
    await postgres.stop('SIGQUIT');
  }
}

async function answers(address: string): Promise<void> {
  const { status } = await fetch(address);
  if (status !== 200) problems.push(`${address}: ${status}`);
}
