import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@querywright/sandbox/listen';
import { startPostgres } from '@querywright/sandbox/postgres';
import { startSandbox } from '@querywright/sandbox/testing';
import { createTestDatabase, prepareTemplate } from '../testing/databases.ts';
import { startMeasured } from './measured.ts';

export interface Sites {
  /** The built product. */
  whole: string;
  /** The same product without scripts in its pages. */
  scriptless: string;
  close(): Promise<void>;
}

/** Starts two web processes of the built product on one database. Needs a build. */
export async function startSites(): Promise<Sites> {
  const root = path.resolve(import.meta.dirname, '..');
  mkdirSync(path.join(root, '.data'), { recursive: true });
  // Inside the project, so that the copy finds node_modules.
  const copy = mkdtempSync(path.join(root, '.data/bench-web-'));
  const data = mkdtempSync(path.join(tmpdir(), 'querywright-bench-web-'));
  const postgres = await startPostgres({ folder: path.join(data, 'postgres'), port: await freePort() });
  await prepareTemplate(postgres.url);
  const databaseUrl = await createTestDatabase(postgres.url('postgres'));
  const sandbox = await startSandbox();
  cpSync(path.join(root, 'dist'), copy, { recursive: true });
  removeScripts(path.join(copy, 'web/pages'));

  const whole = await startWeb('dist/api/main.js');
  sandbox.config.siteUrl = whole.url;
  const scriptless = await startWeb(path.relative(root, path.join(copy, 'api/main.js')));
  return {
    whole: whole.url,
    scriptless: scriptless.url,
    async close() {
      await Promise.all([whole.stop(), scriptless.stop()]);
      await sandbox.close();
      await postgres.stop('SIGQUIT');
      for (const folder of [copy, data]) rmSync(folder, { recursive: true, force: true });
    },
  };

  async function startWeb(script: string) {
    const port = await freePort();
    const { stop } = await startMeasured(script, {
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      SANDBOX_PORT: String(sandbox.port),
      SANDBOX_SMTP_PORT: String(sandbox.smtpPort),
      LOG_LEVEL: 'info',
    });
    return { url: `http://localhost:${port}`, stop };
  }
}

/** Removes the module scripts; JSON-LD stays. */
function removeScripts(folder: string): void {
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.html')) continue;
    const page = path.join(folder, file);
    const html = readFileSync(page, 'utf8');
    writeFileSync(page, html.replaceAll(/<script type="module"[^>]*><\/script>/g, ''));
  }
}
