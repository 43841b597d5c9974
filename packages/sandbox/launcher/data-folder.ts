import { accessSync, constants, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { LaunchError, type LauncherSettings } from './settings.ts';

/**
 * Claims the folder for this launcher, since two would stop each other's database, and names its ports there for the
 * operators' commands. Returns the release function.
 * @throws LaunchError if the folder cannot be created or written, or a running launcher uses it
 */
export function claimDataFolder(settings: Omit<LauncherSettings, 'databaseUrl'>): () => void {
  const { dataFolder: folder, port, sandboxPort, sandboxSmtpPort } = settings;
  const claim = path.join(folder, 'launcher.pid');
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    const other = launcherIn(claim);
    if (other !== undefined) throw new Error(`another \`npm start\` (process ${other}) is using it`);
    const ports = { PORT: port, SANDBOX_PORT: sandboxPort, SANDBOX_SMTP_PORT: sandboxSmtpPort };
    const lines = Object.entries(ports).map(([name, value]) => `${name}=${value}`);
    writeFileSync(claim, `${[process.pid, ...lines].join('\n')}\n`);
  } catch (error) {
    const reason = (error as Error).message;
    throw new LaunchError(`The data folder ${folder} (DATA_DIR) cannot be used: ${reason}`, { cause: error });
  }
  return () => rmSync(claim, { force: true });
}

/** The running launcher that wrote this file, if any: after SIGKILL the id may belong to another process. */
function launcherIn(claim: string): number | undefined {
  try {
    const pid = Number(readFileSync(claim, 'utf8').split('\n')[0]);
    if (pid === process.pid) return undefined;
    process.kill(pid, 0);
    if (process.platform !== 'linux') return pid;
    return /(start|dev)\.mjs|launcher/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ? pid : undefined;
  } catch {
    return undefined;
  }
}
