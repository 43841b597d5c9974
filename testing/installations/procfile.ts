import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { freePort } from '@querywright/sandbox/listen';
import { startSandbox } from '@querywright/sandbox/testing';
import { createDatabase } from '../../db/database.ts';
import { type Child, startChild } from '../child-process.ts';
import { buyEverything } from '../faults/buyers.ts';
import { findViolations } from '../faults/invariants.ts';
import { seededRandom } from '../faults/random.ts';
import type { TestPostgres } from '../services/postgres.ts';
import { type Certificate, makeCertificate } from './certificate.ts';
import { startWithAcl } from './redis.ts';
import { ask } from './standby.ts';

const ORDERS = 8;
const root = path.resolve(import.meta.dirname, '../..');

/** The settings in docs/operations.md for platforms with self-signed certificates. */
const operatorsChoice = (certificate: Certificate) => ({
  PGSSLMODE: 'no-verify',
  ALLOW_UNENCRYPTED_CONNECTIONS: 'on',
  NODE_EXTRA_CA_CERTS: certificate.authority,
});

/**
 * Does what a platform with a Procfile does with a fresh clone: builds, removes the build dependencies, runs the release
 * command in production mode, then web and worker. Database and Redis accept TLS only, with untrusted certificates.
 */
export async function tryProcfile(folder: string, postgres: TestPostgres): Promise<string[]> {
  const app = path.join(folder, 'app');
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, app]);
  const shell = { cwd: app, stdio: ['ignore', 'ignore', 'inherit'] as ['ignore', 'ignore', 'inherit'] };
  const build = { ...shell, env: { ...process.env, NODE_ENV: 'production' } };
  execFileSync('sh', ['-c', buildCommand()], build);
  execFileSync('npm', ['prune', '--omit=dev', '--no-audit', '--no-fund'], build);
  const commands = readProcfile(path.join(app, 'Procfile'));

  const certificate = makeCertificate(folder);
  await ask(postgres.url, 'create database shop');
  await takeTlsOnly(postgres, certificate);
  const databaseUrl = postgres.url.replace('127.0.0.1', 'localhost').replace(/[^/]*$/, 'shop');
  const servers = path.join(folder, 'redis');
  mkdirSync(servers);
  const redis = await startWithAcl(servers, certificate);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const sandbox = await startSandbox({ siteUrl: url });
  const db = createDatabase(`${databaseUrl}?sslmode=no-verify`, { poolMax: 4, onError: () => {} });
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redis.url,
    ...operatorsChoice(certificate),
  };
  const providers = {
    NODE_ENV: 'test',
    SANDBOX_PORT: String(sandbox.port),
    SANDBOX_SMTP_PORT: String(sandbox.smtpPort),
  };
  const running: Child[] = [];
  const start = async (name: 'web' | 'worker', given: Record<string, string> = {}) => {
    const child = startChild('sh', ['-c', `exec ${commands[name]}`], {
      cwd: app,
      env: { ...env, ...providers, ...given },
    });
    running.push(child);
    await child.untilPrinted(`${name} ready`, { timeoutMs: 60_000 });
  };
  try {
    execFileSync('sh', ['-c', commands.release], { ...shell, env: { ...env, ...production } });
    await start('web', { PORT: String(port) });
    await start('worker');
    const random = seededRandom(1);
    const bought = await buyEverything({ url, sandbox, orders: ORDERS, random, onProgress: async () => {} });
    const { violations, paid } = await findViolations({ db, sandbox, bought, withinMs: 90_000 });
    const problems = [
      ...violations,
      ...(paid === 0 ? ['no order was paid'] : []),
      ...(await unencrypted(db)),
    ];
    for (const child of running.splice(0))
      if ((await child.stop()) !== 0) problems.push(`a process did not stop: ${child.output().slice(-500)}`);
    return problems;
  } finally {
    for (const child of running) await child.stop();
    await sandbox.close();
    await db.destroy();
    await redis.stop();
  }
}

/** The build command of the manual. */
function buildCommand(): string {
  const manual = readFileSync(path.join(root, 'docs/operations.md'), 'utf8');
  const [, command] = /The build is `([^`]+)`/.exec(manual) ?? [];
  if (!command) throw new Error('docs/operations.md gives no build command for a platform with a Procfile');
  return command;
}

function readProcfile(file: string): Record<'web' | 'worker' | 'release', string> {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return Object.fromEntries(lines.map((line) => line.split(/: (.*)/))) as ReturnType<typeof readProcfile>;
}

async function takeTlsOnly(postgres: TestPostgres, { cert, key }: Certificate): Promise<void> {
  const { uid, gid } = statSync(postgres.folder);
  for (const [from, name] of [
    [cert, 'server.crt'],
    [key, 'server.key'],
  ] as const) {
    const file = path.join(postgres.folder, name);
    copyFileSync(from, file);
    chmodSync(file, 0o600);
    chownSync(file, uid, gid);
  }
  writeFileSync(path.join(postgres.folder, 'pg_hba.conf'), 'hostssl all all all trust\n');
  appendFileSync(path.join(postgres.folder, 'postgresql.conf'), '\nssl = on\n');
  await postgres.restart();
}

/** The server accepts TLS only; this checks that the processes were connected. */
async function unencrypted(db: ReturnType<typeof createDatabase>): Promise<string[]> {
  const { rows } = await db.raw(`select count(*)::int as connections, bool_and(ssl) as "isEncrypted"
    from pg_stat_ssl join pg_stat_activity using (pid) where application_name like 'querywright%'`);
  return rows[0].connections > 2 && rows[0].isEncrypted ? [] : [`connections: ${JSON.stringify(rows[0])}`];
}

/** Settings that production accepts; the release step connects to the database only. */
const production = {
  NODE_ENV: 'production',
  DEPLOYMENT: 'live',
  PUBLIC_URL: 'https://querywright.example',
  SESSION_SECRET: 'kq8Z1vT5yW0rB7nX3mC9sD2fG6hJ4pLa',
  STRIPE_SECRET_KEY: 'sk_live_x',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_x',
  STRIPE_WEBHOOK_SECRET: '',
  PAYPAL_CLIENT_ID: 'client',
  PAYPAL_CLIENT_SECRET: 'client secret',
  PAYPAL_WEBHOOK_ID: '',
  OIDC_ISSUER: 'https://login.example.com',
  OIDC_CLIENT_ID: 'querywright',
  OIDC_CLIENT_SECRET: 'openid secret',
  SMTP_URL: 'smtp://user:password@mail.example.com:587',
  MAIL_FROM: 'hello@querywright.example',
  STAFF_EMAIL: 'staff@querywright.example',
};
