import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort } from '@querywright/sandbox/listen';
import { type RunningSandbox, startSandbox } from '@querywright/sandbox/testing';
import { createDatabase, type Database } from '../../db/database.ts';
import { seedSandboxPeople } from '../../db/sandbox-people.ts';
import { type Config, readConfig } from '../../infra/config.ts';
import { type Process, type ProcessName, startProcess } from '../processes.ts';
import { startTestPostgres } from '../services/postgres.ts';
import { startRedis } from '../services/redis.ts';
import { waitFor } from '../wait-for.ts';
import { anyCanary } from './world.ts';

export interface Memory {
  rss: number;
  /** Reachable bytes after a garbage collection. */
  live: number;
  eventLoopP99Ms: number;
}

/** The built product with its dependencies; everything it prints is inspected. */
export interface Stage {
  url: string;
  db: Database;
  config: Config;
  sandbox: RunningSandbox;
  processes: Record<ProcessName, Process>;
  /** Log lines with uncaught errors or personal data. */
  badLines: string[];
  logLines(): number;
  measureMemory(name: ProcessName): Promise<Memory>;
  close(): Promise<void>;
}

interface StageOptions {
  /** Settings that differ. */
  env?: Record<string, string>;
  /** More options for Node.js, such as a limit of the heap. */
  nodeOptions?: string;
}

/** @returns undefined if no Redis is available */
export async function startStage(
  backend: string,
  { env: settings = {}, nodeOptions = '' }: StageOptions = {},
): Promise<Stage | undefined> {
  const redis = backend === 'redis' ? await startRedis() : undefined;
  if (backend === 'redis' && !redis) return undefined;
  const folder = mkdtempSync(path.join(tmpdir(), 'querywright-fuzz-'));
  const postgres = await startTestPostgres({ folder: path.join(folder, 'data') });
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const sandbox = await startSandbox({ siteUrl: url });
  const env = {
    PORT: String(port),
    DATABASE_URL: postgres.url('querywright_template'),
    SANDBOX_PORT: String(sandbox.port),
    SANDBOX_SMTP_PORT: String(sandbox.smtpPort),
    NODE_ENV: 'test',
    LOG_LEVEL: 'debug',
    NODE_OPTIONS: `--import=${pathToFileURL(path.join(import.meta.dirname, 'memory-probe.mjs')).href} ${nodeOptions}`,
    ...(redis ? { REDIS_URL: redis.url } : {}),
    ...settings,
  };
  const config = readConfig(env);
  const db = createDatabase(config.databaseUrl, { poolMax: 4 });
  await seedSandboxPeople(db, config.oidc.issuer);

  const badLines: string[] = [];
  const probes: Record<ProcessName, Memory[]> = { web: [], worker: [] };
  let lines = 0;
  const start = (name: ProcessName) =>
    startProcess(
      name,
      env,
      inLines((line) => {
        lines++;
        const probe = /^memory-probe (.*)/.exec(line)?.[1];
        if (probe) probes[name].push(JSON.parse(probe));
        else if (isBad(line)) badLines.push(`${name}: ${line.slice(0, 1_500)}`);
      }),
    );
  const processes = { web: await start('web'), worker: await start('worker') };

  return {
    url,
    db,
    config,
    sandbox,
    processes,
    badLines,
    logLines: () => lines,
    async measureMemory(name) {
      const before = probes[name].length;
      process.kill(processes[name].pid, 'SIGUSR2');
      const reported = await waitFor(
        `${name} reports its memory`,
        () => (processes[name].exited ? 'exited' : probes[name][before]),
        { timeoutMs: 60_000 },
      );
      if (reported === 'exited') throw new Error(`${name} exited: ${processes[name].output().slice(-3_000)}`);
      return reported;
    },
    async close() {
      await Promise.all([processes.web.stop(), processes.worker.stop()]);
      await sandbox.close();
      await db.destroy();
      await redis?.stop();
      await postgres.stop('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function isBad(line: string): boolean {
  return (
    /unhandledRejection|uncaughtException|MaxListenersExceeded|"level":"fatal"/.test(line) ||
    anyCanary.test(line)
  );
}

function inLines(onLine: (line: string) => void): (text: string) => void {
  let rest = '';
  return (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  };
}
