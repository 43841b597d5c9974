import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const IN_MEMORY = '/dev/shm';
/** Twice what the servers of a whole run write. */
const NEEDED_BYTES = 8 * 2 ** 30;

/**
 * Makes a folder for temporary files, which is removed when this process ends, even if it is killed. In memory where
 * there is room: a database is three hundred files, and the tests create hundreds of databases.
 */
export function makeTempFolder() {
  const folder = mkdtempSync(path.join(hasRoom() ? IN_MEMORY : tmpdir(), 'querywright-test-'));
  const remove = ['-c', 'read -r _; sleep 1; exec rm -rf "$0"', folder];
  const remover = spawn('sh', remove, { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  remover.on('error', () => {});
  remover.stdin.on('error', () => {}).unref();
  remover.unref();
  return folder;
}

function hasRoom() {
  if (!existsSync(IN_MEMORY)) return false;
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return Math.min(bavail * bsize, process.availableMemory()) >= NEEDED_BYTES;
}
