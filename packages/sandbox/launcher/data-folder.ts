import { accessSync, constants, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { LaunchError } from './settings.ts';

/**
 * Takes the folder for this launcher; two would end each other's database. Returns what gives it back.
 * @throws LaunchError if it cannot be made or written, or a living launcher has it
 */
export function takeDataFolder(folder: string): () => void {
  const claim = path.join(folder, 'launcher.pid');
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    const other = launcherIn(claim);
    if (other !== undefined) throw new Error(`another start (process ${other}) is using it`);
    writeFileSync(claim, `${process.pid}\n`);
  } catch (error) {
    const reason = (error as Error).message;
    throw new LaunchError(`The data folder ${folder} (DATA_DIR) cannot be used: ${reason}`, { cause: error });
  }
  return () => rmSync(claim, { force: true });
}

/** The living launcher that wrote this claim, if it is one: after `kill -9` the number may be somebody else's. */
function launcherIn(claim: string): number | undefined {
  try {
    const pid = Number(readFileSync(claim, 'utf8'));
    if (pid === process.pid) return undefined;
    process.kill(pid, 0);
    if (process.platform !== 'linux') return pid;
    return /start\.mjs|launcher/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ? pid : undefined;
  } catch {
    return undefined;
  }
}
