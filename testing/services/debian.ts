import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';

export interface Program {
  path: string;
  env: NodeJS.ProcessEnv;
}

export const TOOLS = path.resolve(import.meta.dirname, '../../.data/tools');

export function findOnPath(name: string): Program | undefined {
  const folder = (process.env.PATH ?? '')
    .split(path.delimiter)
    .find((entry) => existsSync(path.join(entry, name)));
  return folder ? { path: path.join(folder, name), env: process.env } : undefined;
}

/** Downloads Debian's packages and unpacks them under .data/tools, if it can. Nothing is installed on the machine. */
export function unpackDebianPackages(packages: string[]): void {
  if (!findOnPath('apt-get') || !findOnPath('dpkg')) return;
  mkdirSync(TOOLS, { recursive: true });
  const aptGet = (...args: string[]) =>
    execFileSync('apt-get', [...args, '-qq'], { cwd: TOOLS, stdio: 'ignore', timeout: 120_000 });
  try {
    try {
      aptGet('download', ...packages);
    } catch {
      // The machine's package lists may be empty.
      if (process.getuid?.() === 0) aptGet('update');
      aptGet('download', ...packages);
    }
    for (const name of packages) {
      const file = readdirSync(TOOLS).find((entry) => entry.startsWith(`${name}_`) && entry.endsWith('.deb'));
      if (file) execFileSync('dpkg', ['-x', file, TOOLS], { cwd: TOOLS });
    }
  } catch {
    // The caller looks for its program and says what is missing.
  }
}
