import path from 'node:path';
import { type Child, runOnce, type SupervisedChild, supervise } from './children.ts';
import { claimDataFolder } from './data-folder.ts';
import { type EmbeddedDatabase, startDatabase } from './database.ts';
import { requireFreePorts } from './ports.ts';
import { LaunchError, type LauncherSettings, readSettings } from './settings.ts';

interface Plan {
  /** Migrates the database; must succeed before the programs start. */
  release: string;
  programs: readonly { name: string; script: string; env?: NodeJS.ProcessEnv }[];
  /** Address of the API, if the site's is not. */
  apiUrl?: string;
  nodeOptions?: readonly string[];
  /** Starts while the database does; closed first. */
  alongside?: (restart: (...names: string[]) => void) => Promise<{ close: () => Promise<void> }>;
}

/** Runs everything that the site needs on one machine, until a signal ends it. */
export async function launch(planFor: (settings: LauncherSettings) => Promise<Plan> | Plan): Promise<void> {
  const programs = new Map<string, SupervisedChild>();
  let release: (Child & { succeeded: Promise<boolean> }) | undefined;
  let alongside: Promise<{ close: () => Promise<void> }> | undefined;
  let database: Promise<EmbeddedDatabase> | undefined;
  let releaseDataFolder = () => {};
  const leaving = new AbortController();
  let ending = false;

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0));
  // A closed terminal or pipe must not leave the children running.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => void end(0));
  // Nor must a killed npm, which cannot pass a signal on.
  if (process.env.npm_lifecycle_event) whenParentIsGone(() => void end(0));

  try {
    await start(readSettings());
  } catch (error) {
    if (!ending) await fail(error);
  }

  async function start(settings: LauncherSettings): Promise<void> {
    await requireFreePorts(settings);
    releaseDataFolder = claimDataFolder(settings);
    const plan = await planFor(settings);
    const nodeOptions = plan.nodeOptions ?? [];
    alongside = plan.alongside?.((...names) => {
      for (const name of names) programs.get(name)?.restart();
    });
    alongside?.catch(fail);

    const siteUrl = `http://localhost:${settings.port}`;
    const env: NodeJS.ProcessEnv = {
      ...(process.env.NODE_ENV === 'production' ? {} : { LOG_FORMAT: 'pretty' }),
      ...process.env,
      DATABASE_URL: settings.databaseUrl ?? (await embeddedDatabase(settings)),
      SITE_URL: siteUrl,
      SANDBOX_DATA_FILE: path.join(settings.dataFolder, 'sandbox.json'),
    };
    if (ending) return;
    release = runOnce('release', { script: plan.release, nodeOptions }, env);
    if (!(await release.succeeded)) {
      throw new LaunchError('The database migration failed; see the lines above.');
    }
    if (ending) return;
    for (const { name, script, env: own } of plan.programs) {
      programs.set(name, supervise(name, { script, nodeOptions }, { ...env, ...own }));
    }
    await untilReady(plan.apiUrl ?? siteUrl);
    if (!ending) announce(settings, siteUrl);
  }

  async function embeddedDatabase(settings: LauncherSettings): Promise<string> {
    database = startDatabase(settings.dataFolder, (error) => void fail(error), leaving.signal);
    return (await database).url;
  }

  async function untilReady(apiUrl: string): Promise<void> {
    while (!ending) {
      const answer = await fetch(`${apiUrl}/readyz`).catch(() => undefined);
      if (answer?.ok) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async function fail(error: unknown): Promise<void> {
    console.error(error instanceof LaunchError ? error.message : error);
    await end(1);
  }

  /** Stops the database last, so that the others can finish. */
  async function end(code: number): Promise<void> {
    if (ending) return;
    ending = true;
    leaving.abort();
    await alongside?.then((running) => running.close()).catch(() => undefined);
    await Promise.all([release, ...programs.values()].map((child) => child?.stop()));
    await database?.then((running) => running.stop()).catch(() => undefined);
    releaseDataFolder();
    process.exit(code);
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
