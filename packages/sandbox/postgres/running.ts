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
