import path from 'node:path';
import { packageFolder } from '../package-folder.ts';
import { type Child, runOnce, supervise } from './children.ts';
import { claimDataFolder } from './data-folder.ts';
import { type EmbeddedDatabase, startDatabase } from './database.ts';
import { requireFreePorts } from './ports.ts';
import { LaunchError, type LauncherSettings, readSettings } from './settings.ts';

// The second half of `npm start` (the first is scripts/start.mjs).
const product = path.resolve('dist');
const sandbox = path.join(packageFolder, 'dist/main.js');
const children: Child[] = [];
let database: Promise<EmbeddedDatabase> | undefined;
let releaseDataFolder = () => {};
let ending = false;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0));
// Stop everything when the terminal or pipe is closed …
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => void end(0));
// … or npm is killed, which then forwards no signal.
if (process.env.npm_lifecycle_event) whenParentIsGone(() => void end(0));

try {
  await launch(readSettings());
} catch (error) {
  if (!ending) await fail(error);
}

async function launch(settings: LauncherSettings): Promise<void> {
  await requireFreePorts(settings);
  releaseDataFolder = claimDataFolder(settings.dataFolder);
  const siteUrl = `http://localhost:${settings.port}`;
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    DATABASE_URL: settings.databaseUrl ?? (await embeddedDatabase(settings)),
    SITE_URL: siteUrl,
    SANDBOX_DATA_FILE: path.join(settings.dataFolder, 'sandbox.json'),
  };
  if (ending) return;
  await migrate(env);
  if (ending) return;
  for (const [name, script] of [
    ['sandbox', sandbox],
    ['worker', path.join(product, 'worker/main.js')],
    ['web', path.join(product, 'api/main.js')],
  ] as const) {
    children.push(supervise(name, script, env));
  }
  await untilReady(siteUrl);
  if (!ending) announce(settings, siteUrl);
}

async function embeddedDatabase(settings: LauncherSettings): Promise<string> {
  database = startDatabase(settings.dataFolder, (error) => void fail(error));
  return (await database).url;
}

async function migrate(env: NodeJS.ProcessEnv): Promise<void> {
  const release = runOnce('release', path.join(product, 'ops/migrate.js'), env);
  children.push(release);
  if (await release.succeeded) return;
  throw new LaunchError('The database could not be brought up to date; the lines above say why.');
}

async function untilReady(siteUrl: string): Promise<void> {
  while (!ending) {
    const answer = await fetch(`${siteUrl}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function announce(settings: LauncherSettings, siteUrl: string): void {
  const sandboxUrl = `http://localhost:${settings.sandboxPort}`;
  console.info(`
  Site     ${siteUrl}
  Sandbox  ${sandboxUrl}  (stands in for Stripe, PayPal, sign-in and mail)
  Inbox    ${sandboxUrl}/inbox

  Pay with 4242 4242 4242 4242, any future date and any CVC. Ctrl-C stops everything.
`);
}

function whenParentIsGone(callback: () => void): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) callback();
  }, 500).unref();
}

async function fail(error: unknown): Promise<void> {
  console.error(error instanceof LaunchError ? error.message : error);
  await end(1);
}

/** Stops the database last: the others still finish their work. */
async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  await Promise.all(children.map((child) => child.stop()));
  await database?.then(
    (running) => running.stop(),
    () => {},
  );
  releaseDataFolder();
  process.exit(code);
}
