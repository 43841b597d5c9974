import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The database of a running `npm start`, if any: the fourth line of PostgreSQL's postmaster.pid is its port. */
export function findRunningDatabase(dataFolder: string): string | undefined {
  try {
    const lines = readFileSync(path.join(dataFolder, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
    return lines[3] ? `postgres://postgres@127.0.0.1:${lines[3]}/querywright` : undefined;
  } catch {
    return undefined;
  }
}

/** The ports of a running `npm start` as environment variables; empty if none is running. */
export function findRunningPorts(dataFolder: string): Record<string, string> {
  try {
    const claim = readFileSync(path.join(dataFolder, 'launcher.pid'), 'utf8');
    return Object.fromEntries(
      [...claim.matchAll(/^([A-Z_]+)=(\d+)$/gm)].map(([, name, value]) => [name, value]),
    );
  } catch {
    return {};
  }
}
