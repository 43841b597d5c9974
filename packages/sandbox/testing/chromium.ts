import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const program = createRequire(import.meta.url).resolve('@sparticuz/chromium');
const { version } = JSON.parse(readFileSync(path.join(program, '../../../package.json'), 'utf8'));
const TOOLS = path.resolve(import.meta.dirname, '../../../.data/tools');
// The package unpacks into the folder for temporary files, and only there.
const unpack = `process.env.TMPDIR = process.argv[1];
await (await import('@sparticuz/chromium')).default.executablePath();`;

/** The browser, unpacked once per version, and renamed when whole: other processes may start it at once. */
export function chromiumPath(): string {
  const folder = path.join(TOOLS, `chromium-${version}`);
  if (!existsSync(folder)) unpackInto(folder);
  return path.join(folder, 'chromium');
}

function unpackInto(folder: string): void {
  mkdirSync(TOOLS, { recursive: true });
  const unfinished = mkdtempSync(`${folder}-`);
  const options = { cwd: import.meta.dirname };
  execFileSync(process.execPath, ['--input-type=module', '--eval', unpack, unfinished], options);
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // Another process was first.
    rmSync(unfinished, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}
