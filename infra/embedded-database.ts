import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The address of the database that a running `npm start` has brought along, if there is one: PostgreSQL writes its port
 * into the fourth line of postmaster.pid.
 */
export function findEmbeddedDatabase(dataFolder: string): string | undefined {
  try {
    const lines = readFileSync(path.join(dataFolder, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
    return lines[3] ? `postgres://postgres@127.0.0.1:${lines[3]}/querywright` : undefined;
  } catch {
    return undefined;
  }
}
