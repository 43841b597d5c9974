import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The folder of browser files beside the caller. The build compiles TypeScript only, so from `dist/sandbox/…`
 * the files are found in the sources two levels up.
 */
export function assetFolder(callerFolder: string, name: string): string {
  const beside = join(callerFolder, name);
  if (existsSync(beside)) return beside;
  const inSources = callerFolder.replace(/([/\\])dist([/\\]sandbox)/, '$2');
  return join(inSources, name);
}
