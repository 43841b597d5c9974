import path from 'node:path';
import { type Child, runOnce, supervise } from './children.ts';
import { startDatabase } from './database.ts';
import {
  LaunchError,
  type LauncherSettings,
  readSettings,
  requireDataFolder,
  requireFreePorts,
} from './settings.ts';

// The one command's second half (the first is scripts/start.mjs): everything the site needs, on one machine.
const dist = path.resolve(import.meta.dirname, '../..');
const stops: (() => Promise<void>)[] = [];
let ending = false;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0));

try {
  await launch(readSettings());
} catch (error) {
  console.error(error instanceof LaunchError ? error.message : error);
  await end(1);
}

async function launch(settings: LauncherSettings): Promise<void> {
  await requireFreePorts(settings);
  requireDataFolder(settings.dataFolder);
  const databaseUrl = settings.databaseUrl ?? (await embeddedDatabase(settings));
  const siteUrl = `http://localhost:${settings.port}`;
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    SITE_URL: siteUrl,
    SANDBOX_DATA_FILE: path.join(settings.dataFolder, 'sandbox.json'),
  };
  if ((await runOnce('release', path.join(dist, 'db/migrate.js'), env)) !== 0) {
    throw new LaunchError('The database could not be brought up to date; the lines above say why.');
  }
  start('sandbox', 'sandbox/main.js', env);
  start('worker', 'worker/main.js', env);
  start('web', 'api/main.js', env);
  await untilReady(siteUrl);
  announce(settings, siteUrl);
}

async function embeddedDatabase(settings: LauncherSettings): Promise<string> {
  const database = await startDatabase(settings.dataFolder);
  stops.push(database.stop);
  return database.url;
}

function start(name: string, script: string, env: NodeJS.ProcessEnv): void {
  if (ending) return;
  const child: Child = supervise(name, path.join(dist, script), env);
  stops.push(() => child.stop());
}

async function untilReady(siteUrl: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${siteUrl}/readyz`).catch(() => undefined);
    if (answer?.ok || ending) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function announce(settings: LauncherSettings, siteUrl: string): void {
  if (ending) return;
  const sandboxUrl = `http://localhost:${settings.sandboxPort}`;
  console.info(`
  Site     ${siteUrl}
  Sandbox  ${sandboxUrl}  (stands in for Stripe, PayPal, sign-in and mail)
  Inbox    ${sandboxUrl}/inbox

  Pay with 4242 4242 4242 4242, any future date and any CVC. Ctrl-C stops everything.
`);
}

/** Stops in the reverse order of starting: the database is the last to go. */
async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  const [database, ...children] = stops.length > 0 ? stops : [async () => {}];
  await Promise.all(children.map((stop) => stop()));
  await database?.();
  process.exit(code);
}
